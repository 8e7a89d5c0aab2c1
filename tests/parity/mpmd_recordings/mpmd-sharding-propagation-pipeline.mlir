// RUN mpmd-sharding-propagation-pipeline
module @jit_train_step {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m0", tensor<4x4xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<4x4xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: !mpmd.mesh_tensor<"m0", tensor<4x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg3: !mpmd.mesh_tensor<"m0", tensor<4x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg4: !mpmd.mesh_tensor<"m0", tensor<4x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg5: !mpmd.mesh_tensor<"m1", tensor<4x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg6: !mpmd.mesh_tensor<"m1", tensor<4x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg7: !mpmd.mesh_tensor<"m1", tensor<4x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>) attributes {topology = #mpmd.topology<<"m0" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg2) {call_counter = 0 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>) {
      %21 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %22 = stablehlo.tanh %21 : tensor<4x4xf32>
      %23 = stablehlo.add %arg9, %22 : tensor<4x4xf32>
      mpmd.return %23, %22 : tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>
    %2:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %1) {call_counter = 0 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>) {
      %21 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %22 = stablehlo.tanh %21 : tensor<4x4xf32>
      %23 = stablehlo.add %arg9, %22 : tensor<4x4xf32>
      mpmd.return %23, %22 : tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>)
    %3:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg3) {call_counter = 1 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>) {
      %21 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %22 = stablehlo.tanh %21 : tensor<4x4xf32>
      %23 = stablehlo.add %arg9, %22 : tensor<4x4xf32>
      mpmd.return %23, %22 : tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>)
    %4 = mpmd.transfer %3#0 : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>
    %5:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %4) {call_counter = 1 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>) {
      %21 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %22 = stablehlo.tanh %21 : tensor<4x4xf32>
      %23 = stablehlo.add %arg9, %22 : tensor<4x4xf32>
      mpmd.return %23, %22 : tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>)
    %6:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg4) {call_counter = 2 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>) {
      %21 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %22 = stablehlo.tanh %21 : tensor<4x4xf32>
      %23 = stablehlo.add %arg9, %22 : tensor<4x4xf32>
      mpmd.return %23, %22 : tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>)
    %7 = mpmd.transfer %6#0 : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>
    %8:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %7) {call_counter = 2 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>) {
      %21 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %22 = stablehlo.tanh %21 : tensor<4x4xf32>
      %23 = stablehlo.add %arg9, %22 : tensor<4x4xf32>
      mpmd.return %23, %22 : tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>)
    %9:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%2#0, %arg5, %arg1, %2#1) {call_counter = 0 : ui32, split_keep_transferred} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x4xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
      %21 = stablehlo.subtract %arg8, %arg9 : tensor<4x4xf32>
      %22 = stablehlo.multiply %21, %cst : tensor<4x4xf32>
      %23 = stablehlo.multiply %arg11, %arg11 : tensor<4x4xf32>
      %24 = stablehlo.subtract %cst_0, %23 : tensor<4x4xf32>
      %25 = stablehlo.multiply %22, %24 : tensor<4x4xf32>
      %26 = stablehlo.dot_general %25, %arg10, contracting_dims = [1] x [1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %27 = stablehlo.add %22, %26 : tensor<4x4xf32>
      mpmd.return %27, %25, %21 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>)
    %10:2 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%9#1, %1, %9#2) {call_counter = 0 : ui32, split_drop_transferred} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<4x4xf32>
      %21 = stablehlo.multiply %arg10, %arg10 : tensor<4x4xf32>
      %22 = stablehlo.reduce(%21 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
      %23 = stablehlo.add %cst, %22 : tensor<f32>
      %24 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %25 = stablehlo.add %cst_0, %24 : tensor<4x4xf32>
      mpmd.return %23, %25 : tensor<f32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>)
    %11 = mpmd.transfer %9#0 : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>
    %12 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg2, %0#1, %11) {call_counter = 0 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4x4xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
      %21 = stablehlo.multiply %arg9, %arg9 : tensor<4x4xf32>
      %22 = stablehlo.subtract %cst_0, %21 : tensor<4x4xf32>
      %23 = stablehlo.multiply %arg10, %22 : tensor<4x4xf32>
      %24 = stablehlo.dot_general %arg8, %23, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %25 = stablehlo.add %cst, %24 : tensor<4x4xf32>
      mpmd.return %25 : tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>
    %13:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%5#0, %arg6, %arg1, %5#1) {call_counter = 1 : ui32, split_keep_transferred} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x4xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
      %21 = stablehlo.subtract %arg8, %arg9 : tensor<4x4xf32>
      %22 = stablehlo.multiply %21, %cst : tensor<4x4xf32>
      %23 = stablehlo.multiply %arg11, %arg11 : tensor<4x4xf32>
      %24 = stablehlo.subtract %cst_0, %23 : tensor<4x4xf32>
      %25 = stablehlo.multiply %22, %24 : tensor<4x4xf32>
      %26 = stablehlo.dot_general %25, %arg10, contracting_dims = [1] x [1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %27 = stablehlo.add %22, %26 : tensor<4x4xf32>
      mpmd.return %27, %25, %21 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>)
    %14:2 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%13#1, %4, %10#1, %13#2, %10#0) {call_counter = 1 : ui32, split_drop_transferred} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>, %arg12: tensor<f32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %21 = stablehlo.multiply %arg11, %arg11 : tensor<4x4xf32>
      %22 = stablehlo.reduce(%21 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
      %23 = stablehlo.add %arg12, %22 : tensor<f32>
      %24 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %25 = stablehlo.add %arg10, %24 : tensor<4x4xf32>
      mpmd.return %23, %25 : tensor<f32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>)
    %15 = mpmd.transfer %13#0 : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>
    %16 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg3, %3#1, %15, %12) {call_counter = 1 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
      %21 = stablehlo.multiply %arg9, %arg9 : tensor<4x4xf32>
      %22 = stablehlo.subtract %cst, %21 : tensor<4x4xf32>
      %23 = stablehlo.multiply %arg10, %22 : tensor<4x4xf32>
      %24 = stablehlo.dot_general %arg8, %23, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %25 = stablehlo.add %arg11, %24 : tensor<4x4xf32>
      mpmd.return %25 : tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>
    %17:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%8#0, %arg7, %arg1, %8#1) {call_counter = 2 : ui32, split_keep_transferred} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x4xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
      %21 = stablehlo.subtract %arg8, %arg9 : tensor<4x4xf32>
      %22 = stablehlo.multiply %21, %cst : tensor<4x4xf32>
      %23 = stablehlo.multiply %arg11, %arg11 : tensor<4x4xf32>
      %24 = stablehlo.subtract %cst_0, %23 : tensor<4x4xf32>
      %25 = stablehlo.multiply %22, %24 : tensor<4x4xf32>
      %26 = stablehlo.dot_general %25, %arg10, contracting_dims = [1] x [1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %27 = stablehlo.add %22, %26 : tensor<4x4xf32>
      mpmd.return %27, %25, %21 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>)
    %18:2 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%17#1, %7, %14#1, %arg1, %17#2, %14#0) {call_counter = 2 : ui32, split_drop_transferred} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>, %arg12: tensor<4x4xf32>, %arg13: tensor<f32>) {
      %cst = stablehlo.constant dense<0.00999999977> : tensor<4x4xf32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %21 = stablehlo.multiply %arg12, %arg12 : tensor<4x4xf32>
      %22 = stablehlo.reduce(%21 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
      %23 = stablehlo.add %arg13, %22 : tensor<f32>
      %24 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %25 = stablehlo.add %arg10, %24 : tensor<4x4xf32>
      %26 = stablehlo.multiply %25, %cst : tensor<4x4xf32>
      %27 = stablehlo.subtract %arg11, %26 : tensor<4x4xf32>
      mpmd.return %23, %27 : tensor<f32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>)
    %19 = mpmd.transfer %17#0 : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>
    %20 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg4, %6#1, %19, %16, %arg0) {call_counter = 2 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>, %arg12: tensor<4x4xf32>) {
      %cst = stablehlo.constant dense<0.00999999977> : tensor<4x4xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
      %21 = stablehlo.multiply %arg9, %arg9 : tensor<4x4xf32>
      %22 = stablehlo.subtract %cst_0, %21 : tensor<4x4xf32>
      %23 = stablehlo.multiply %arg10, %22 : tensor<4x4xf32>
      %24 = stablehlo.dot_general %arg8, %23, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %25 = stablehlo.add %arg11, %24 : tensor<4x4xf32>
      %26 = stablehlo.multiply %25, %cst : tensor<4x4xf32>
      %27 = stablehlo.subtract %arg12, %26 : tensor<4x4xf32>
      mpmd.return %27 : tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>
    return %18#0, %20, %18#1 : !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>
  }
}
// ==>
module @jit_train_step {
  sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>> {jax.buffer_donor = true}, %arg1: !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, %arg3: !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, %arg4: !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, %arg5: !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, %arg6: !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, %arg7: !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>) attributes {topology = #mpmd.topology<<"m0" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg2) {call_counter = 0 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>) {
      %21 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %22 = stablehlo.tanh %21 : tensor<4x4xf32>
      %23 = stablehlo.add %arg9, %22 : tensor<4x4xf32>
      mpmd.return %23, %22 : tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>
    %2:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %1) {call_counter = 0 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>) {
      %21 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %22 = stablehlo.tanh %21 : tensor<4x4xf32>
      %23 = stablehlo.add %arg9, %22 : tensor<4x4xf32>
      mpmd.return %23, %22 : tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>)
    %3:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg3) {call_counter = 1 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>) {
      %21 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %22 = stablehlo.tanh %21 : tensor<4x4xf32>
      %23 = stablehlo.add %arg9, %22 : tensor<4x4xf32>
      mpmd.return %23, %22 : tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>)
    %4 = mpmd.transfer %3#0 : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>
    %5:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %4) {call_counter = 1 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>) {
      %21 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %22 = stablehlo.tanh %21 : tensor<4x4xf32>
      %23 = stablehlo.add %arg9, %22 : tensor<4x4xf32>
      mpmd.return %23, %22 : tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>)
    %6:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg4) {call_counter = 2 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>) {
      %21 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %22 = stablehlo.tanh %21 : tensor<4x4xf32>
      %23 = stablehlo.add %arg9, %22 : tensor<4x4xf32>
      mpmd.return %23, %22 : tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>)
    %7 = mpmd.transfer %6#0 : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>
    %8:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %7) {call_counter = 2 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>) {
      %21 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %22 = stablehlo.tanh %21 : tensor<4x4xf32>
      %23 = stablehlo.add %arg9, %22 : tensor<4x4xf32>
      mpmd.return %23, %22 : tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>)
    %9:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%2#0, %arg5, %arg1, %2#1) {call_counter = 0 : ui32, split_keep_transferred} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x4xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
      %21 = stablehlo.subtract %arg8, %arg9 : tensor<4x4xf32>
      %22 = stablehlo.multiply %21, %cst : tensor<4x4xf32>
      %23 = stablehlo.multiply %arg11, %arg11 : tensor<4x4xf32>
      %24 = stablehlo.subtract %cst_0, %23 : tensor<4x4xf32>
      %25 = stablehlo.multiply %22, %24 : tensor<4x4xf32>
      %26 = stablehlo.dot_general %25, %arg10, contracting_dims = [1] x [1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %27 = stablehlo.add %22, %26 : tensor<4x4xf32>
      mpmd.return %27, %25, %21 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>)
    %10:2 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%9#1, %1, %9#2) {call_counter = 0 : ui32, split_drop_transferred} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %21 = stablehlo.multiply %arg10, %arg10 : tensor<4x4xf32>
      %22 = stablehlo.reduce(%21 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
      %23 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      mpmd.return %22, %23 : tensor<f32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>, sharding=<@mesh, []>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>)
    %11 = mpmd.transfer %9#0 : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>
    %12 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg2, %0#1, %11) {call_counter = 0 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
      %21 = stablehlo.multiply %arg9, %arg9 : tensor<4x4xf32>
      %22 = stablehlo.subtract %cst, %21 : tensor<4x4xf32>
      %23 = stablehlo.multiply %arg10, %22 : tensor<4x4xf32>
      %24 = stablehlo.dot_general %arg8, %23, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      mpmd.return %24 : tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>
    %13:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%5#0, %arg6, %arg1, %5#1) {call_counter = 1 : ui32, split_keep_transferred} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x4xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
      %21 = stablehlo.subtract %arg8, %arg9 : tensor<4x4xf32>
      %22 = stablehlo.multiply %21, %cst : tensor<4x4xf32>
      %23 = stablehlo.multiply %arg11, %arg11 : tensor<4x4xf32>
      %24 = stablehlo.subtract %cst_0, %23 : tensor<4x4xf32>
      %25 = stablehlo.multiply %22, %24 : tensor<4x4xf32>
      %26 = stablehlo.dot_general %25, %arg10, contracting_dims = [1] x [1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %27 = stablehlo.add %22, %26 : tensor<4x4xf32>
      mpmd.return %27, %25, %21 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>)
    %14:2 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%13#1, %4, %10#1, %13#2, %10#0) {call_counter = 1 : ui32, split_drop_transferred} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>, %arg12: tensor<f32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %21 = stablehlo.multiply %arg11, %arg11 : tensor<4x4xf32>
      %22 = stablehlo.reduce(%21 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
      %23 = stablehlo.add %arg12, %22 : tensor<f32>
      %24 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %25 = stablehlo.add %arg10, %24 : tensor<4x4xf32>
      mpmd.return %23, %25 : tensor<f32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<f32>, sharding=<@mesh, []>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>, sharding=<@mesh, []>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>)
    %15 = mpmd.transfer %13#0 : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>
    %16 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg3, %3#1, %15, %12) {call_counter = 1 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
      %21 = stablehlo.multiply %arg9, %arg9 : tensor<4x4xf32>
      %22 = stablehlo.subtract %cst, %21 : tensor<4x4xf32>
      %23 = stablehlo.multiply %arg10, %22 : tensor<4x4xf32>
      %24 = stablehlo.dot_general %arg8, %23, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %25 = stablehlo.add %arg11, %24 : tensor<4x4xf32>
      mpmd.return %25 : tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>) -> !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>
    %17:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%8#0, %arg7, %arg1, %8#1) {call_counter = 2 : ui32, split_keep_transferred} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x4xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
      %21 = stablehlo.subtract %arg8, %arg9 : tensor<4x4xf32>
      %22 = stablehlo.multiply %21, %cst : tensor<4x4xf32>
      %23 = stablehlo.multiply %arg11, %arg11 : tensor<4x4xf32>
      %24 = stablehlo.subtract %cst_0, %23 : tensor<4x4xf32>
      %25 = stablehlo.multiply %22, %24 : tensor<4x4xf32>
      %26 = stablehlo.dot_general %25, %arg10, contracting_dims = [1] x [1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %27 = stablehlo.add %22, %26 : tensor<4x4xf32>
      mpmd.return %27, %25, %21 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>)
    %18:2 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%17#1, %7, %14#1, %arg1, %17#2, %14#0) {call_counter = 2 : ui32, split_drop_transferred} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>, %arg12: tensor<4x4xf32>, %arg13: tensor<f32>) {
      %cst = stablehlo.constant dense<0.00999999977> : tensor<4x4xf32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %21 = stablehlo.multiply %arg12, %arg12 : tensor<4x4xf32>
      %22 = stablehlo.reduce(%21 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
      %23 = stablehlo.add %arg13, %22 : tensor<f32>
      %24 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %25 = stablehlo.add %arg10, %24 : tensor<4x4xf32>
      %26 = stablehlo.multiply %25, %cst : tensor<4x4xf32>
      %27 = stablehlo.subtract %arg11, %26 : tensor<4x4xf32>
      mpmd.return %23, %27 : tensor<f32>, tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m1", tensor<f32>, sharding=<@mesh, []>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>)
    %19 = mpmd.transfer %17#0 : (!mpmd.mesh_tensor<"m1", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>
    %20 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg4, %6#1, %19, %16, %arg0) {call_counter = 2 : ui32} (%arg8: tensor<4x4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>, %arg12: tensor<4x4xf32>) {
      %cst = stablehlo.constant dense<0.00999999977> : tensor<4x4xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
      %21 = stablehlo.multiply %arg9, %arg9 : tensor<4x4xf32>
      %22 = stablehlo.subtract %cst_0, %21 : tensor<4x4xf32>
      %23 = stablehlo.multiply %arg10, %22 : tensor<4x4xf32>
      %24 = stablehlo.dot_general %arg8, %23, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %25 = stablehlo.add %arg11, %24 : tensor<4x4xf32>
      %26 = stablehlo.multiply %25, %cst : tensor<4x4xf32>
      %27 = stablehlo.subtract %arg12, %26 : tensor<4x4xf32>
      mpmd.return %27 : tensor<4x4xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{"x"}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>, sharding=<@mesh, [{}, {}]>>) -> !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>
    return %18#0, %20, %18#1 : !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<4x4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4x4xf32>>
  }
}
