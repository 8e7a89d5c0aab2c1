// RUN mpmd-infer-mesh-finalize
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["user_in"], "m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>, origin = "user_in"} %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %1 = mpmd.assign %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m3", origin=[]> (%1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %26 = stablehlo.tanh %arg5 : tensor<4xf32>
      mpmd.return %26 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %3 = mpmd.unassign %2 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %4 = mpmd.assign %3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5:2 = mpmd.call @f0(%4) {call_counter = 0 : ui32} : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %6 = mpmd.unassign %5#0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %7 = mpmd.unassign %5#1 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.assign %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %9:2 = mpmd.call @f0(%8) {call_counter = 1 : ui32} : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %10 = mpmd.unassign %9#0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %11 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>, origin = "n2"} %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %12 = mpmd.fragment<mesh="m3", origin=["n2"]> (%11) (%arg5: tensor<4xf32>) {
      %26 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %26 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %13 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["user_out", "inferred_out"]>, origin = "n2"} %12 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %14 = mpmd.assign %10 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %15 = mpmd.assign %13 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %16 = mpmd.fragment<mesh="m3", origin=[]> (%14, %15) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %26 = stablehlo.add %arg5, %arg6 : tensor<4xf32>
      mpmd.return %26 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %17 = mpmd.unassign %16 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %18 = mpmd.assign %17 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %19 = mpmd.fragment<mesh="m3", origin=[]> (%18) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %26 = stablehlo.abs %arg5 : tensor<4xf32>
      mpmd.return %26 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %20 = mpmd.unassign %19 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %21 = mpmd.assign %17 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %22 = mpmd.fragment<mesh="m3", origin=[]> (%21) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %26 = stablehlo.subtract %arg5, %arg5 : tensor<4xf32>
      mpmd.return %26 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %23 = mpmd.unassign %22 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %24 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["user_out"]>, origin = "user_out"} %23 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %25 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["inferred_out"]>, origin = "inferred_out"} %20 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %25, %24 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
  func.func private @f0(%arg0: !mpmd.mesh_tensor<"m3", tensor<4xf32>> {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["user_in"], "m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>}) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>> {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["user_out", "n2", "inferred_out"]>}, !mpmd.mesh_tensor<"m3", tensor<4xf32>> {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>}) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.unassign %arg0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %1 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["user_in"], "m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>, origin = "n2"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m3", origin=["n2"]> (%1) (%arg1: tensor<4xf32>) {
      %9 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %9 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %3 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["reduce"]>, origin = "n2"} %2 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %4 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["reduce"]>, origin = "reduce"} %3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5 = mpmd.unassign %4 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %6 = mpmd.reduce<none> {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2", "user_out", "inferred_out"]>} %5 : (tensor<4xf32>) -> tensor<4xf32>
    %7 = mpmd.assign %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %8 = mpmd.assign %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %7, %8 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m3", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %8 = stablehlo.tanh %arg5 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2:2 = mpmd.call @f0(%1) {call_counter = 0 : ui32} : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %3:2 = mpmd.call @f0(%2#0) {call_counter = 1 : ui32} : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %4 = mpmd.fragment<mesh="m3", origin=["n2"]> (%2#1) (%arg5: tensor<4xf32>) {
      %8 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m3", origin=[]> (%3#0, %4) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %8 = stablehlo.add %arg5, %arg6 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m3", origin=[]> (%5) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %8 = stablehlo.abs %arg5 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %7 = mpmd.fragment<mesh="m3", origin=[]> (%5) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %8 = stablehlo.subtract %arg5, %arg5 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %6, %7 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
  func.func private @f0(%arg0: !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m3", origin=["n2"]> (%arg0) (%arg1: tensor<4xf32>) {
      %2 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %2 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m3", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %1, %1 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-finalize{infer-transfers=true}'
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["user_in"], "m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>, origin = "user_in"} %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %1 = mpmd.assign %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m3", origin=[]> (%1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %26 = stablehlo.tanh %arg5 : tensor<4xf32>
      mpmd.return %26 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %3 = mpmd.unassign %2 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %4 = mpmd.assign %3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5:2 = mpmd.call @f0(%4) {call_counter = 0 : ui32} : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %6 = mpmd.unassign %5#0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %7 = mpmd.unassign %5#1 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.assign %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %9:2 = mpmd.call @f0(%8) {call_counter = 1 : ui32} : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %10 = mpmd.unassign %9#0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %11 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>, origin = "n2"} %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %12 = mpmd.fragment<mesh="m3", origin=["n2"]> (%11) (%arg5: tensor<4xf32>) {
      %26 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %26 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %13 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["user_out", "inferred_out"]>, origin = "n2"} %12 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %14 = mpmd.assign %10 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %15 = mpmd.assign %13 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %16 = mpmd.fragment<mesh="m3", origin=[]> (%14, %15) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %26 = stablehlo.add %arg5, %arg6 : tensor<4xf32>
      mpmd.return %26 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %17 = mpmd.unassign %16 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %18 = mpmd.assign %17 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %19 = mpmd.fragment<mesh="m3", origin=[]> (%18) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %26 = stablehlo.abs %arg5 : tensor<4xf32>
      mpmd.return %26 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %20 = mpmd.unassign %19 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %21 = mpmd.assign %17 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %22 = mpmd.fragment<mesh="m3", origin=[]> (%21) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %26 = stablehlo.subtract %arg5, %arg5 : tensor<4xf32>
      mpmd.return %26 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %23 = mpmd.unassign %22 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %24 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["user_out"]>, origin = "user_out"} %23 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %25 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["inferred_out"]>, origin = "inferred_out"} %20 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %25, %24 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
  func.func private @f0(%arg0: !mpmd.mesh_tensor<"m3", tensor<4xf32>> {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["user_in"], "m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>}) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>> {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["user_out", "n2", "inferred_out"]>}, !mpmd.mesh_tensor<"m3", tensor<4xf32>> {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>}) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.unassign %arg0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %1 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["user_in"], "m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>, origin = "n2"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m3", origin=["n2"]> (%1) (%arg1: tensor<4xf32>) {
      %9 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %9 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %3 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["reduce"]>, origin = "n2"} %2 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %4 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["reduce"]>, origin = "reduce"} %3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5 = mpmd.unassign %4 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %6 = mpmd.reduce<none> {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2", "user_out", "inferred_out"]>} %5 : (tensor<4xf32>) -> tensor<4xf32>
    %7 = mpmd.assign %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %8 = mpmd.assign %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %7, %8 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m3", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %8 = stablehlo.tanh %arg5 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2:2 = mpmd.call @f0(%1) {call_counter = 0 : ui32} : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %3:2 = mpmd.call @f0(%2#0) {call_counter = 1 : ui32} : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %4 = mpmd.fragment<mesh="m3", origin=["n2"]> (%2#1) (%arg5: tensor<4xf32>) {
      %8 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m3", origin=[]> (%3#0, %4) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %8 = stablehlo.add %arg5, %arg6 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m3", origin=[]> (%5) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %8 = stablehlo.abs %arg5 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %7 = mpmd.fragment<mesh="m3", origin=[]> (%5) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %8 = stablehlo.subtract %arg5, %arg5 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %6, %7 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
  func.func private @f0(%arg0: !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m3", origin=["n2"]> (%arg0) (%arg1: tensor<4xf32>) {
      %2 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %2 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m3", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %1, %1 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-finalize
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["broadcast", "n0"]>}) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["broadcast"]>, origin = "broadcast"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1 = mpmd.unassign %0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %2 = mpmd.broadcast {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n0"]>} %1 : tensor<4xf32>
    %3 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n0"]>, origin = "n0"} %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m3", origin=["n0"]> (%3) (%arg1: tensor<4xf32>) {
      %17 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %17 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5 = mpmd.assign %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %6:2 = mpmd.fragment<mesh="m3", origin=["n0"]> (%4, %5) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %17 = stablehlo.abs %arg2 : tensor<4xf32>
      %18 = stablehlo.add %arg1, %17 : tensor<4xf32>
      %19 = stablehlo.add %17, %arg1 : tensor<4xf32>
      %20 = stablehlo.add %19, %arg1 : tensor<4xf32>
      mpmd.return %18, %20 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %7 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n0"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "n0"} %6#0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n0"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "n0"} %6#1 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %9 = mpmd.assign %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %10 = mpmd.assign %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %11 = mpmd.fragment<mesh="m10", origin=[]> (%9, %10) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %17 = stablehlo.negate %arg2 : tensor<4xf32>
      %c = stablehlo.constant dense<true> : tensor<i1>
      %18 = "stablehlo.if"(%c) ({
        %19 = stablehlo.add %17, %arg1 : tensor<4xf32>
        stablehlo.return %19 : tensor<4xf32>
      }, {
        stablehlo.return %arg1 : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %12 = mpmd.unassign %11 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %13 = mpmd.fragment<mesh="m10", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %14 = mpmd.unassign %13 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %15 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "inferred_out"} %12 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %16 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "inferred_out"} %14 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %15, %16 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>
  }
}
// ==>
// refused
// -----
// RUN 'mpmd-infer-mesh-finalize{infer-transfers=true}'
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["broadcast", "n0"]>}) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["broadcast"]>, origin = "broadcast"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1 = mpmd.unassign %0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %2 = mpmd.broadcast {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n0"]>} %1 : tensor<4xf32>
    %3 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n0"]>, origin = "n0"} %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m3", origin=["n0"]> (%3) (%arg1: tensor<4xf32>) {
      %17 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %17 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5 = mpmd.assign %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %6:2 = mpmd.fragment<mesh="m3", origin=["n0"]> (%4, %5) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %17 = stablehlo.abs %arg2 : tensor<4xf32>
      %18 = stablehlo.add %arg1, %17 : tensor<4xf32>
      %19 = stablehlo.add %17, %arg1 : tensor<4xf32>
      %20 = stablehlo.add %19, %arg1 : tensor<4xf32>
      mpmd.return %18, %20 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %7 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n0"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "n0"} %6#0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n0"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "n0"} %6#1 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %9 = mpmd.assign %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %10 = mpmd.assign %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %11 = mpmd.fragment<mesh="m10", origin=[]> (%9, %10) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %17 = stablehlo.negate %arg2 : tensor<4xf32>
      %c = stablehlo.constant dense<true> : tensor<i1>
      %18 = "stablehlo.if"(%c) ({
        %19 = stablehlo.add %17, %arg1 : tensor<4xf32>
        stablehlo.return %19 : tensor<4xf32>
      }, {
        stablehlo.return %arg1 : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %12 = mpmd.unassign %11 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %13 = mpmd.fragment<mesh="m10", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %14 = mpmd.unassign %13 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %15 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "inferred_out"} %12 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %16 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "inferred_out"} %14 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %15, %16 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m3", origin=["n0"]> (%arg0) (%arg1: tensor<4xf32>) {
      %6 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1:2 = mpmd.fragment<mesh="m3", origin=["n0"]> (%0, %arg0) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %6 = stablehlo.abs %arg2 : tensor<4xf32>
      %7 = stablehlo.add %arg1, %6 : tensor<4xf32>
      %8 = stablehlo.add %6, %arg1 : tensor<4xf32>
      %9 = stablehlo.add %8, %arg1 : tensor<4xf32>
      mpmd.return %7, %9 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %2 = mpmd.transfer %1#0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %3 = mpmd.transfer %1#1 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m10", origin=[]> (%2, %3) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %6 = stablehlo.negate %arg2 : tensor<4xf32>
      %c = stablehlo.constant dense<true> : tensor<i1>
      %7 = "stablehlo.if"(%c) ({
        %8 = stablehlo.add %6, %arg1 : tensor<4xf32>
        stablehlo.return %8 : tensor<4xf32>
      }, {
        stablehlo.return %arg1 : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m10", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %4, %5 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-finalize
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg1: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out", "n1"]>}, %arg2: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["user_in"], "m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1", "inferred_out"]>, origin = "user_in"} %arg0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %1 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>, origin = "n1"} %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.assign %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.assign %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4:2 = mpmd.fragment<mesh="m11", origin=["n1"(1)]> (%1, %2, %3) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %18 = stablehlo.reshape %arg6 : (tensor<4xf32>) -> tensor<1x4xf32>
      %19 = stablehlo.reshape %arg5 : (tensor<4xf32>) -> tensor<1x4xf32>
      %20 = stablehlo.concatenate %18, %19, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %21 = stablehlo.reduce(%20 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
      %22 = stablehlo.add %arg4, %21 : tensor<4xf32>
      %23 = stablehlo.add %arg4, %22 : tensor<4xf32>
      mpmd.return %22, %23 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %5 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "n1"} %4#0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %6 = mpmd.assign %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %7 = mpmd.fragment<mesh="m11", origin=[]> (%6) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>) {
      %18 = stablehlo.negate %arg4 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %8 = mpmd.unassign %7 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %9 = mpmd.fragment<mesh="m11", origin=[]> (%4#1) {mpmd.inferred_by = ["introduce_transfers"]} (%arg4: tensor<4xf32>) {
      %18 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %10 = mpmd.assign %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %11 = mpmd.assign %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %12 = mpmd.fragment<mesh="m11", origin=[]> (%10, %11) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %18 = stablehlo.tanh %arg5 : tensor<4xf32>
      %19 = stablehlo.maximum %arg4, %18 : tensor<4xf32>
      %20 = stablehlo.negate %19 : tensor<4xf32>
      mpmd.return %20 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %13 = mpmd.unassign %12 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %14 = mpmd.fragment<mesh="m11", origin=["n2"]> (%9) (%arg4: tensor<4xf32>) {
      %18 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %15 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %16 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %17 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %13 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %15, %16, %17, %14 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1:2 = mpmd.fragment<mesh="m11", origin=["n1"(1)]> (%arg1, %arg1, %0) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %6 = stablehlo.reshape %arg6 : (tensor<4xf32>) -> tensor<1x4xf32>
      %7 = stablehlo.reshape %arg5 : (tensor<4xf32>) -> tensor<1x4xf32>
      %8 = stablehlo.concatenate %6, %7, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
      %10 = stablehlo.add %arg4, %9 : tensor<4xf32>
      %11 = stablehlo.add %arg4, %10 : tensor<4xf32>
      mpmd.return %10, %11 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %2 = mpmd.fragment<mesh="m11", origin=[]> (%arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>) {
      %6 = stablehlo.negate %arg4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m11", origin=[]> (%1#1) {mpmd.inferred_by = ["introduce_transfers"]} (%arg4: tensor<4xf32>) {
      %6 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m11", origin=[]> (%0, %0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %6 = stablehlo.tanh %arg5 : tensor<4xf32>
      %7 = stablehlo.maximum %arg4, %6 : tensor<4xf32>
      %8 = stablehlo.negate %7 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m11", origin=["n2"]> (%3) (%arg4: tensor<4xf32>) {
      %6 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %2, %1#0, %4, %5 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-finalize{infer-transfers=true}'
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg1: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out", "n1"]>}, %arg2: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["user_in"], "m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1", "inferred_out"]>, origin = "user_in"} %arg0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %1 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>, origin = "n1"} %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.assign %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.assign %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4:2 = mpmd.fragment<mesh="m11", origin=["n1"(1)]> (%1, %2, %3) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %18 = stablehlo.reshape %arg6 : (tensor<4xf32>) -> tensor<1x4xf32>
      %19 = stablehlo.reshape %arg5 : (tensor<4xf32>) -> tensor<1x4xf32>
      %20 = stablehlo.concatenate %18, %19, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %21 = stablehlo.reduce(%20 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
      %22 = stablehlo.add %arg4, %21 : tensor<4xf32>
      %23 = stablehlo.add %arg4, %22 : tensor<4xf32>
      mpmd.return %22, %23 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %5 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "n1"} %4#0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %6 = mpmd.assign %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %7 = mpmd.fragment<mesh="m11", origin=[]> (%6) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>) {
      %18 = stablehlo.negate %arg4 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %8 = mpmd.unassign %7 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %9 = mpmd.fragment<mesh="m11", origin=[]> (%4#1) {mpmd.inferred_by = ["introduce_transfers"]} (%arg4: tensor<4xf32>) {
      %18 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %10 = mpmd.assign %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %11 = mpmd.assign %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %12 = mpmd.fragment<mesh="m11", origin=[]> (%10, %11) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %18 = stablehlo.tanh %arg5 : tensor<4xf32>
      %19 = stablehlo.maximum %arg4, %18 : tensor<4xf32>
      %20 = stablehlo.negate %19 : tensor<4xf32>
      mpmd.return %20 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %13 = mpmd.unassign %12 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %14 = mpmd.fragment<mesh="m11", origin=["n2"]> (%9) (%arg4: tensor<4xf32>) {
      %18 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %15 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %16 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %17 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %13 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %15, %16, %17, %14 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1:2 = mpmd.fragment<mesh="m11", origin=["n1"(1)]> (%arg1, %arg1, %0) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %6 = stablehlo.reshape %arg6 : (tensor<4xf32>) -> tensor<1x4xf32>
      %7 = stablehlo.reshape %arg5 : (tensor<4xf32>) -> tensor<1x4xf32>
      %8 = stablehlo.concatenate %6, %7, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
      %10 = stablehlo.add %arg4, %9 : tensor<4xf32>
      %11 = stablehlo.add %arg4, %10 : tensor<4xf32>
      mpmd.return %10, %11 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %2 = mpmd.fragment<mesh="m11", origin=[]> (%arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>) {
      %6 = stablehlo.negate %arg4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m11", origin=[]> (%1#1) {mpmd.inferred_by = ["introduce_transfers"]} (%arg4: tensor<4xf32>) {
      %6 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m11", origin=[]> (%0, %0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %6 = stablehlo.tanh %arg5 : tensor<4xf32>
      %7 = stablehlo.maximum %arg4, %6 : tensor<4xf32>
      %8 = stablehlo.negate %7 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m11", origin=["n2"]> (%3) (%arg4: tensor<4xf32>) {
      %6 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %2, %1#0, %4, %5 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-finalize
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>}, %arg4: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out", "n2"]>}) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>, origin = "n2"} %arg3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=["n2"(1)]> (%0) (%arg5: tensor<4xf32>) {
      %11 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %11 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.assign %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.assign %arg4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m11", origin=["n2"]> (%1, %2, %3) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>, %arg7: tensor<4xf32>) {
      %11 = stablehlo.add %arg6, %arg7 : tensor<4xf32>
      %12 = stablehlo.add %11, %arg5 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %5 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "n2"} %4 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %6 = mpmd.fragment<mesh="m2", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      %11 = stablehlo.tanh %cst : tensor<4xf32>
      mpmd.return %11 : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %7 = mpmd.unassign %6 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["user_out"]>, origin = "user_out"} %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %9 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %10 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %arg4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %9, %8, %10 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m11", origin=["n2"(1)]> (%arg3) (%arg5: tensor<4xf32>) {
      %3 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=["n2"]> (%0, %arg0, %arg4) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>, %arg7: tensor<4xf32>) {
      %3 = stablehlo.add %arg6, %arg7 : tensor<4xf32>
      %4 = stablehlo.add %3, %arg5 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m2", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      %3 = stablehlo.tanh %cst : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %1, %2, %arg4 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-finalize{infer-transfers=true}'
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>}, %arg4: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out", "n2"]>}) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>, origin = "n2"} %arg3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=["n2"(1)]> (%0) (%arg5: tensor<4xf32>) {
      %11 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %11 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.assign %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.assign %arg4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m11", origin=["n2"]> (%1, %2, %3) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>, %arg7: tensor<4xf32>) {
      %11 = stablehlo.add %arg6, %arg7 : tensor<4xf32>
      %12 = stablehlo.add %11, %arg5 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %5 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "n2"} %4 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %6 = mpmd.fragment<mesh="m2", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      %11 = stablehlo.tanh %cst : tensor<4xf32>
      mpmd.return %11 : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %7 = mpmd.unassign %6 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["user_out"]>, origin = "user_out"} %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %9 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %10 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %arg4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %9, %8, %10 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m11", origin=["n2"(1)]> (%arg3) (%arg5: tensor<4xf32>) {
      %3 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=["n2"]> (%0, %arg0, %arg4) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>, %arg7: tensor<4xf32>) {
      %3 = stablehlo.add %arg6, %arg7 : tensor<4xf32>
      %4 = stablehlo.add %3, %arg5 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m2", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      %3 = stablehlo.tanh %cst : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %1, %2, %arg4 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-finalize
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>, origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m10", origin=["n1"]> (%0) (%arg2: tensor<4xf32>) {
      %13 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %13 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %2 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>, origin = "n1"} %1 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %3 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>, origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %4 = mpmd.assign %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %5:2 = mpmd.fragment<mesh="m10", origin=["n1"]> (%3, %1, %4) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %13 = stablehlo.abs %arg4 : tensor<4xf32>
      %14 = stablehlo.tanh %13 : tensor<4xf32>
      %15 = stablehlo.add %arg2, %14 : tensor<4xf32>
      %16 = stablehlo.add %arg3, %15 : tensor<4xf32>
      mpmd.return %15, %16 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>)
    %6 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "n1"} %5#0 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %7 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "n1"} %5#1 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.fragment<mesh="m2", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %9 = mpmd.unassign %8 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %10 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["user_out"]>, origin = "user_out"} %9 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %11 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "inferred_out"} %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %12 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "inferred_out"} %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %11, %12, %10 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m10", origin=["n1"]> (%arg0) (%arg2: tensor<4xf32>) {
      %3 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %1:2 = mpmd.fragment<mesh="m10", origin=["n1"]> (%arg0, %0, %0) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %3 = stablehlo.abs %arg4 : tensor<4xf32>
      %4 = stablehlo.tanh %3 : tensor<4xf32>
      %5 = stablehlo.add %arg2, %4 : tensor<4xf32>
      %6 = stablehlo.add %arg3, %5 : tensor<4xf32>
      mpmd.return %5, %6 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>)
    %2 = mpmd.fragment<mesh="m2", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %1#1, %1#0, %2 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-finalize{infer-transfers=true}'
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>, origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m10", origin=["n1"]> (%0) (%arg2: tensor<4xf32>) {
      %13 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %13 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %2 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>, origin = "n1"} %1 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %3 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>, origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %4 = mpmd.assign %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %5:2 = mpmd.fragment<mesh="m10", origin=["n1"]> (%3, %1, %4) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %13 = stablehlo.abs %arg4 : tensor<4xf32>
      %14 = stablehlo.tanh %13 : tensor<4xf32>
      %15 = stablehlo.add %arg2, %14 : tensor<4xf32>
      %16 = stablehlo.add %arg3, %15 : tensor<4xf32>
      mpmd.return %15, %16 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>)
    %6 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "n1"} %5#0 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %7 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "n1"} %5#1 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.fragment<mesh="m2", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %9 = mpmd.unassign %8 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %10 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["user_out"]>, origin = "user_out"} %9 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %11 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "inferred_out"} %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %12 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "inferred_out"} %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %11, %12, %10 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m10", origin=["n1"]> (%arg0) (%arg2: tensor<4xf32>) {
      %3 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %1:2 = mpmd.fragment<mesh="m10", origin=["n1"]> (%arg0, %0, %0) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %3 = stablehlo.abs %arg4 : tensor<4xf32>
      %4 = stablehlo.tanh %3 : tensor<4xf32>
      %5 = stablehlo.add %arg2, %4 : tensor<4xf32>
      %6 = stablehlo.add %arg3, %5 : tensor<4xf32>
      mpmd.return %5, %6 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>)
    %2 = mpmd.fragment<mesh="m2", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %1#1, %1#0, %2 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
