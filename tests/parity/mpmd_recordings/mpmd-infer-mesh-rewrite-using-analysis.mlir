// RUN mpmd-infer-mesh-rewrite-using-analysis
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["user_in"], "m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>, origin = "user_in"} %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %1 = stablehlo.tanh %0 {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["user_in"], "m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>} : tensor<4xf32>
    %2:2 = mpmd.call @f0(%1) {call_counter = 0 : ui32} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %3:2 = mpmd.call @f0(%2#0) {call_counter = 1 : ui32} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %4 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>, origin = "n2"} %2#1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m3", origin=["n2"]> (%4) (%arg5: tensor<4xf32>) {
      %12 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %6 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["user_out", "inferred_out"]>, origin = "n2"} %5 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %7 = stablehlo.add %3#0, %6 {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["user_out", "inferred_out"]>} : tensor<4xf32>
    %8 = stablehlo.abs %7 {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["inferred_out"]>} : tensor<4xf32>
    %9 = stablehlo.subtract %7, %7 {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["user_out"]>} : tensor<4xf32>
    %10 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["user_out"]>, origin = "user_out"} %9 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %11 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["inferred_out"]>, origin = "inferred_out"} %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %11, %10 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
  func.func private @f0(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["user_in"], "m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>}) -> (tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["user_out", "n2", "inferred_out"]>}, tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>}) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["user_in"], "m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2"]>, origin = "n2"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m3", origin=["n2"]> (%0) (%arg1: tensor<4xf32>) {
      %6 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["reduce"]>, origin = "n2"} %1 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %3 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["reduce"]>, origin = "reduce"} %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.unassign %3 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %5 = mpmd.reduce<none> {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n2", "user_out", "inferred_out"]>} %4 : (tensor<4xf32>) -> tensor<4xf32>
    return %5, %5 : tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
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
// -----
// RUN mpmd-infer-mesh-rewrite-using-analysis
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>}, %arg1: tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused"]>}) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = stablehlo.tanh %arg1 {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused"]>} : tensor<4xf32>
    %1 = stablehlo.tanh %0 {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused"]>} : tensor<4xf32>
    %2:2 = stablehlo.optimization_barrier {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused"]>} %0, %1 : tensor<4xf32>, tensor<4xf32>
    %3 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused"]>, origin = "inferred_unused"} %2#1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %4 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused"]>, origin = "inferred_unused"} %2#0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %cst = stablehlo.constant {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>} dense<3.000000e+00> : tensor<4xf32>
    %5:3 = mpmd.call @f0(%cst, %arg0) {call_counter = 0 : ui32} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    %6:3 = mpmd.call @f0(%5#0, %5#1) {call_counter = 1 : ui32} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    %7 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_out"]>, origin = "inferred_out"} %5#2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %7 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
  func.func private @f0(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["n3"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>}, %arg1: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["n3", "inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>}) -> (tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>}, tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>}, tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_out"]>}) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = stablehlo.abs %arg0 {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["n3"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>} : tensor<4xf32>
    %1 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["n3"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>, origin = "n3"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %2 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["inferred_in", "n3"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>, origin = "n3"} %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %3:2 = mpmd.fragment<mesh="m1", origin=["n3"]> (%1, %2) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %6 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      %7 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      mpmd.return %6, %7 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    %4 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["n3"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3", "inferred_out"]>, origin = "n3"} %3#0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %5 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["n3"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>, origin = "n3"} %3#1 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    return %4, %5, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>}, %arg1: tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused"]>}) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.assign %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1:2 = mpmd.fragment<mesh="m1", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
      %18 = stablehlo.tanh %arg2 : tensor<4xf32>
      %19 = stablehlo.tanh %18 : tensor<4xf32>
      %20:2 = stablehlo.optimization_barrier %18, %19 : tensor<4xf32>, tensor<4xf32>
      mpmd.return %20#0, %20#1 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    %2 = mpmd.unassign %1#0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %3 = mpmd.unassign %1#1 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %4 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused"]>, origin = "inferred_unused"} %3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %5 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused"]>, origin = "inferred_unused"} %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %7 = mpmd.unassign %6 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.assign %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %9 = mpmd.assign %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %10:3 = mpmd.call @f0(%8, %9) {call_counter = 0 : ui32} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    %11 = mpmd.unassign %10#0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %12 = mpmd.unassign %10#1 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %13 = mpmd.unassign %10#2 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %14 = mpmd.assign %11 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %15 = mpmd.assign %12 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %16:3 = mpmd.call @f0(%14, %15) {call_counter = 1 : ui32} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    %17 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_out"]>, origin = "inferred_out"} %13 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %17 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
  func.func private @f0(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>> {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["n3"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>> {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["n3", "inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>}) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>}, !mpmd.mesh_tensor<"m1", tensor<4xf32>> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>}, !mpmd.mesh_tensor<"m1", tensor<4xf32>> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_out"]>}) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.unassign %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %1 = mpmd.unassign %arg1 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %2 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["inferred_in", "n3"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>, origin = "n3"} %1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %3 = mpmd.assign %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %4:2 = mpmd.fragment<mesh="m1", origin=["n3"]> (%2, %3) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %10 = stablehlo.abs %arg3 : tensor<4xf32>
      %11 = stablehlo.add %10, %10 : tensor<4xf32>
      %12 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %11, %12 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    %5 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["n3"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3", "inferred_out"]>, origin = "n3"} %4#0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %6 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["n3"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m1"["n3"]>, origin = "n3"} %4#1 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %7 = mpmd.assign %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %8 = mpmd.assign %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %9 = mpmd.assign %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %7, %8, %9 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-rewrite-using-analysis
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["user_out"]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = stablehlo.negate %arg0 {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["user_out"]>} : tensor<4xf32>
    %1:2 = mpmd.call @f0() {call_counter = 0 : ui32} : () -> (tensor<4xf32>, tensor<4xf32>)
    %cst = stablehlo.constant {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["user_out"], "m11"["user_out"]>} dense<3.000000e+00> : tensor<4xf32>
    %2 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["user_out"]>, origin = "user_out"} %cst : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["user_out"]>, origin = "user_out"} %cst : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["user_out"]>, origin = "user_out"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %5 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %1#0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %2, %5, %3, %4 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
  func.func private @f0() -> (tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>}, tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_unused_callee_out"]>}) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %cst = stablehlo.constant {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n3"]>} dense<0.000000e+00> : tensor<4xf32>
    %0 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n3"]>, origin = "n3"} %cst : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1:2 = mpmd.fragment<mesh="m11", origin=["n3"]> (%0) (%arg0: tensor<4xf32>) {
      %4 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
      %5 = stablehlo.add %4, %4 : tensor<4xf32>
      mpmd.return %4, %5 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %2 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n3"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_unused_callee_out"]>, origin = "n3"} %1#0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %3 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n3"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "n3"} %1#1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    return %3, %2 : tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["user_out"]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.assign %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>) {
      %13 = stablehlo.negate %arg4 : tensor<4xf32>
      mpmd.return %13 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.unassign %1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %3:2 = mpmd.call @f0() {call_counter = 0 : ui32} : () -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %4 = mpmd.unassign %3#0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %5 = mpmd.fragment<mesh="m3", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %6 = mpmd.unassign %5 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %7 = mpmd.fragment<mesh="m11", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %8 = mpmd.unassign %7 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %9 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["user_out"]>, origin = "user_out"} %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %10 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["user_out"]>, origin = "user_out"} %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %11 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["user_out"]>, origin = "user_out"} %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %12 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %9, %12, %10, %11 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
  func.func private @f0() -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>> {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>}, !mpmd.mesh_tensor<"m11", tensor<4xf32>> {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_unused_callee_out"]>}) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m11", origin=["n3"]> () () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      %5 = stablehlo.add %cst, %cst : tensor<4xf32>
      %6 = stablehlo.add %5, %5 : tensor<4xf32>
      mpmd.return %5, %6 : tensor<4xf32>, tensor<4xf32>
    } : () -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %1 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n3"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_unused_callee_out"]>, origin = "n3"} %0#0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %2 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n3"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "n3"} %0#1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %3 = mpmd.assign %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.assign %1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %3, %4 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-rewrite-using-analysis
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused"]>}, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %cst = stablehlo.constant {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1", "broadcast"], "m1"["inferred_out", "inferred_unused"]>} dense<3.000000e+00> : tensor<4xf32>
    %0 = stablehlo.maximum %arg2, %cst {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused"]>} : tensor<4xf32>
    %1 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused"]>, origin = "inferred_unused"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %2:3 = mpmd.call @f0(%cst) {call_counter = 0 : ui32} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    %3:3 = mpmd.call @f0(%cst) {call_counter = 1 : ui32} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    %4:3 = mpmd.call @f0(%2#1) {call_counter = 2 : ui32} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    %5:3 = mpmd.call @f0(%3#1) {call_counter = 3 : ui32} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    %6 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["broadcast"]>, origin = "broadcast"} %4#1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %7 = mpmd.unassign %6 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.broadcast {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"], "m1"["inferred_out"]>} %7 : tensor<4xf32>
    %9 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>, origin = "n1"} %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %10 = mpmd.fragment<mesh="m11", origin=["n1"]> (%9) (%arg5: tensor<4xf32>) {
      %18 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %11 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["broadcast"]>, origin = "n1"} %10 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %12 = stablehlo.multiply %8, %4#1 {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_out"]>} : tensor<4xf32>
    %13 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["broadcast"]>, origin = "broadcast"} %11 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %14 = mpmd.unassign %13 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %15 = mpmd.broadcast {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["user_out"]>} %14 : tensor<4xf32>
    %16 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["user_out"]>, origin = "user_out"} %15 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %17 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_out"]>, origin = "inferred_out"} %12 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %16, %17 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
  func.func private @f0(%arg0: tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1", "broadcast"], "m1"["inferred_out"]>}) -> (tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused_callee_out"]>}, tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1", "broadcast"], "m1"["inferred_out"]>}, tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_unused_callee_out"]>}) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = stablehlo.tanh %arg0 {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1", "broadcast"], "m1"["inferred_out"]>} : tensor<4xf32>
    %1 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>, origin = "n1"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_unused_callee_out"]>, origin = "n1"} %1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %cst = stablehlo.constant {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused_callee_out"]>} dense<0.000000e+00> : tensor<4xf32>
    return %cst, %0, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused"]>}, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.unassign %0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %2 = mpmd.fragment<mesh="m11", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.unassign %2 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %4 = mpmd.assign %arg2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %5 = mpmd.assign %1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m1", origin=[]> (%4, %5) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %42 = stablehlo.maximum %arg5, %arg6 : tensor<4xf32>
      mpmd.return %42 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %7 = mpmd.unassign %6 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused"]>, origin = "inferred_unused"} %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %9 = mpmd.assign %1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %10 = mpmd.assign %3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %11:4 = mpmd.call @f0(%9, %10) {call_counter = 0 : ui32} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    %12 = mpmd.unassign %11#1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %13 = mpmd.unassign %11#3 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %14 = mpmd.assign %1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %15 = mpmd.assign %3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %16:4 = mpmd.call @f0(%14, %15) {call_counter = 1 : ui32} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    %17 = mpmd.unassign %16#1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %18 = mpmd.unassign %16#3 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %19 = mpmd.assign %13 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %20 = mpmd.assign %12 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %21:4 = mpmd.call @f0(%19, %20) {call_counter = 2 : ui32} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    %22 = mpmd.unassign %21#3 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %23 = mpmd.unassign %21#1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %24 = mpmd.assign %18 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %25 = mpmd.assign %17 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %26:4 = mpmd.call @f0(%24, %25) {call_counter = 3 : ui32} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    %27 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["broadcast"]>, origin = "broadcast"} %23 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %28 = mpmd.unassign %27 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %29 = mpmd.broadcast {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"], "m1"["inferred_out"]>} %28 : tensor<4xf32>
    %30 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>, origin = "n1"} %29 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %31 = mpmd.fragment<mesh="m11", origin=["n1"]> (%30) (%arg5: tensor<4xf32>) {
      %42 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %42 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %32 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["broadcast"]>, origin = "n1"} %31 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %33 = mpmd.assign %29 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %34 = mpmd.assign %22 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %35 = mpmd.fragment<mesh="m1", origin=[]> (%33, %34) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %42 = stablehlo.multiply %arg5, %arg6 : tensor<4xf32>
      mpmd.return %42 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %36 = mpmd.unassign %35 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %37 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["broadcast"]>, origin = "broadcast"} %32 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %38 = mpmd.unassign %37 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %39 = mpmd.broadcast {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["user_out"]>} %38 : tensor<4xf32>
    %40 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["user_out"]>, origin = "user_out"} %39 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %41 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_out"]>, origin = "inferred_out"} %36 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %40, %41 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
  func.func private @f0(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>> {mpmd.copies = array<i64: 1>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1", "broadcast"], "m1"["inferred_out"]>}, %arg1: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["inferred_unused_callee_out"]>}, !mpmd.mesh_tensor<"m11", tensor<4xf32>> {mpmd.copies = array<i64: 3>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1", "broadcast"], "m1"["inferred_out"]>}, !mpmd.mesh_tensor<"m11", tensor<4xf32>> {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_unused_callee_out"]>}, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.unassign %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %1 = mpmd.unassign %arg1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %2 = mpmd.assign %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m1", origin=[]> (%2) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
      %16 = stablehlo.tanh %arg2 : tensor<4xf32>
      mpmd.return %16 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %4 = mpmd.unassign %3 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %5 = mpmd.assign %1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m11", origin=[]> (%5) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
      %16 = stablehlo.tanh %arg2 : tensor<4xf32>
      mpmd.return %16 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %7 = mpmd.unassign %6 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>, origin = "n1"} %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %9 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_unused_callee_out"]>, origin = "n1"} %8 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %10 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %11 = mpmd.unassign %10 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %12 = mpmd.assign %11 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %13 = mpmd.assign %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %14 = mpmd.assign %4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %15 = mpmd.assign %9 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %12, %13, %15, %14 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
}
