// RUN mpmd-infer-mesh-validate-no-additional-transfers-needed
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
// -----
// RUN mpmd-infer-mesh-validate-no-additional-transfers-needed
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["broadcast", "n0"]>}) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["broadcast"]>, origin = "broadcast"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1 = mpmd.unassign %0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %2 = mpmd.broadcast {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n0"]>} %1 : tensor<4xf32>
    %3 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n0"]>, origin = "n0"} %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m3", origin=["n0"]> (%3) (%arg1: tensor<4xf32>) {
      %14 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5 = stablehlo.abs %arg0 {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n0"]>} : tensor<4xf32>
    %6 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m3"["n0"]>, origin = "n0"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %7:2 = mpmd.fragment<mesh="m3", origin=["n0"]> (%4, %6) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %14 = stablehlo.add %arg1, %arg2 : tensor<4xf32>
      %15 = stablehlo.add %arg2, %arg1 : tensor<4xf32>
      %16 = stablehlo.add %15, %arg1 : tensor<4xf32>
      mpmd.return %14, %16 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %8 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n0"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "n0"} %7#0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %9 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n0"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "n0"} %7#1 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %10 = stablehlo.negate %9 {mpmd.src_set = #mpmd.meshes_with_origins<"m3"["n0"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>} : tensor<4xf32>
    %c = stablehlo.constant {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>} dense<true> : tensor<i1>
    %11 = "stablehlo.if"(%c) ({
      %14 = stablehlo.add %10, %8 : tensor<4xf32>
      stablehlo.return %14 : tensor<4xf32>
    }, {
      stablehlo.return %8 : tensor<4xf32>
    }) {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>} : (tensor<i1>) -> tensor<4xf32>
    %cst = stablehlo.constant {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>} dense<0.000000e+00> : tensor<4xf32>
    %12 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "inferred_out"} %11 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %13 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "inferred_out"} %cst : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %12, %13 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>
  }
}
// ==>
// refused
// -----
// RUN mpmd-infer-mesh-validate-no-additional-transfers-needed
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg1: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out", "n1"]>}, %arg2: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["user_in"], "m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1", "inferred_out"]>, origin = "user_in"} %arg0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %1 = stablehlo.tanh %0 {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["user_in"], "m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>} : tensor<4xf32>
    %2 = stablehlo.reshape %0 {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["user_in"], "m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>} : (tensor<4xf32>) -> tensor<1x4xf32>
    %3 = stablehlo.reshape %arg1 {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>} : (tensor<4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.concatenate %2, %3, dim = 0 {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    %cst = stablehlo.constant {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>} dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.add across dimensions = [0] {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>} : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %6 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>, origin = "n1"} %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %7 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>, origin = "n1"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %8:2 = mpmd.fragment<mesh="m11", origin=["n1"(1)]> (%6, %7) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %18 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      %19 = stablehlo.add %arg4, %18 : tensor<4xf32>
      mpmd.return %18, %19 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %9 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "n1"} %8#0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %10 = stablehlo.negate %arg1 {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>} : tensor<4xf32>
    %11 = mpmd.fragment<mesh="m11", origin=[]> (%8#1) {mpmd.inferred_by = ["introduce_transfers"]} (%arg4: tensor<4xf32>) {
      %18 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %12 = stablehlo.maximum %0, %1 {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["user_in"], "m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>} : tensor<4xf32>
    %13 = stablehlo.negate %12 {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["user_in"], "m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>} : tensor<4xf32>
    %14 = mpmd.fragment<mesh="m11", origin=["n2"]> (%11) (%arg4: tensor<4xf32>) {
      %18 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %15 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %10 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %16 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %9 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %17 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %13 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %15, %16, %17, %14 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg1: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out", "n1"]>}, %arg2: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["user_in"], "m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1", "inferred_out"]>, origin = "user_in"} %arg0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %1 = stablehlo.tanh %0 {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["user_in"], "m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>} : tensor<4xf32>
    %2 = stablehlo.reshape %0 {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["user_in"], "m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>} : (tensor<4xf32>) -> tensor<1x4xf32>
    %3 = stablehlo.reshape %arg1 {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>} : (tensor<4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.concatenate %2, %3, dim = 0 {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    %cst = stablehlo.constant {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>} dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.add across dimensions = [0] {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>} : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %6 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>, origin = "n1"} %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %7 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n1"]>, origin = "n1"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %8:2 = mpmd.fragment<mesh="m11", origin=["n1"(1)]> (%6, %7) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %18 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      %19 = stablehlo.add %arg4, %18 : tensor<4xf32>
      mpmd.return %18, %19 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %9 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "n1"} %8#0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %10 = stablehlo.negate %arg1 {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>} : tensor<4xf32>
    %11 = mpmd.fragment<mesh="m11", origin=[]> (%8#1) {mpmd.inferred_by = ["introduce_transfers"]} (%arg4: tensor<4xf32>) {
      %18 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %12 = stablehlo.maximum %0, %1 {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["user_in"], "m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>} : tensor<4xf32>
    %13 = stablehlo.negate %12 {mpmd.src_set = #mpmd.meshes_with_origins<"m2"["user_in"], "m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>} : tensor<4xf32>
    %14 = mpmd.fragment<mesh="m11", origin=["n2"]> (%11) (%arg4: tensor<4xf32>) {
      %18 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %15 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %10 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %16 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %9 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %17 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %13 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %15, %16, %17, %14 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-validate-no-additional-transfers-needed
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>}, %arg4: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out", "n2"]>}) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>, origin = "n2"} %arg3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=["n2"(1)]> (%0) (%arg5: tensor<4xf32>) {
      %10 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = stablehlo.add %arg0, %arg4 {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>} : tensor<4xf32>
    %cst = stablehlo.constant {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["user_out"]>} dense<1.000000e+00> : tensor<4xf32>
    %3 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>, origin = "n2"} %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m11", origin=["n2"]> (%1, %3) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %10 = stablehlo.add %arg6, %arg5 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %5 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "n2"} %4 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %6 = stablehlo.tanh %cst {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["user_out"]>} : tensor<4xf32>
    %7 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["user_out"]>, origin = "user_out"} %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %8 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %9 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %arg4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %8, %7, %9 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>}, %arg4: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out", "n2"]>}) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>, origin = "n2"} %arg3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=["n2"(1)]> (%0) (%arg5: tensor<4xf32>) {
      %10 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = stablehlo.add %arg0, %arg4 {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>} : tensor<4xf32>
    %cst = stablehlo.constant {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["user_out"]>} dense<1.000000e+00> : tensor<4xf32>
    %3 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["n2"]>, origin = "n2"} %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m11", origin=["n2"]> (%1, %3) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %10 = stablehlo.add %arg6, %arg5 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %5 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m11"["n2"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "n2"} %4 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %6 = stablehlo.tanh %cst {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["user_out"]>} : tensor<4xf32>
    %7 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["user_out"]>, origin = "user_out"} %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %8 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %9 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m11"["inferred_out"]>, origin = "inferred_out"} %arg4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %8, %7, %9 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-validate-no-additional-transfers-needed
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>, origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m10", origin=["n1"]> (%0) (%arg2: tensor<4xf32>) {
      %13 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %13 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %2 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>, origin = "n1"} %1 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %3 = stablehlo.abs %2 {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>} : tensor<4xf32>
    %4 = stablehlo.tanh %3 {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>} : tensor<4xf32>
    %5 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>, origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %6 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>, origin = "n1"} %4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %7:2 = mpmd.fragment<mesh="m10", origin=["n1"]> (%5, %1, %6) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %13 = stablehlo.add %arg2, %arg4 : tensor<4xf32>
      %14 = stablehlo.add %arg3, %13 : tensor<4xf32>
      mpmd.return %13, %14 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>)
    %8 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "n1"} %7#0 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %9 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "n1"} %7#1 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %cst = stablehlo.constant {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["user_out"]>} dense<0.000000e+00> : tensor<4xf32>
    %10 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["user_out"]>, origin = "user_out"} %cst : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %11 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "inferred_out"} %9 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %12 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "inferred_out"} %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %11, %12, %10 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>, origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m10", origin=["n1"]> (%0) (%arg2: tensor<4xf32>) {
      %13 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %13 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %2 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>, origin = "n1"} %1 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %3 = stablehlo.abs %2 {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>} : tensor<4xf32>
    %4 = stablehlo.tanh %3 {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>} : tensor<4xf32>
    %5 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["inferred_in"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>, origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %6 = mpmd.assign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["n1"]>, origin = "n1"} %4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %7:2 = mpmd.fragment<mesh="m10", origin=["n1"]> (%5, %1, %6) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %13 = stablehlo.add %arg2, %arg4 : tensor<4xf32>
      %14 = stablehlo.add %arg3, %13 : tensor<4xf32>
      mpmd.return %13, %14 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>)
    %8 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "n1"} %7#0 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %9 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m10"["n1"]>, mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "n1"} %7#1 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %cst = stablehlo.constant {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["user_out"]>} dense<0.000000e+00> : tensor<4xf32>
    %10 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m2"["user_out"]>, origin = "user_out"} %cst : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %11 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "inferred_out"} %9 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %12 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m10"["inferred_out"]>, origin = "inferred_out"} %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %11, %12, %10 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
