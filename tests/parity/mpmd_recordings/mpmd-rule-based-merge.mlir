// RUN 'mpmd-rule-based-merge{rules=FragmentMergeRule(sources=[FragmentInfo(origins=["block_1"(1)],stage=1,call_counter=0,mesh_name="m1"),FragmentInfo(origins=["block_1"(1)],stage=1,call_counter=1,mesh_name="m1")],target=FragmentInfo(origins=["block_1"(1)],mesh_name="m1"))}'
module @jit_train_step {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m0", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg3: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg4: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg5: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) attributes {topology = #mpmd.topology<<"m0" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg2) {call_counter = 0 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %2:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %1) {call_counter = 0 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>)
    %3:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%2#0, %arg4, %arg1, %1, %2#1) {call_counter = 0 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<8x16xf32>, %arg10: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.subtract %arg6, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.multiply %12, %12 : tensor<8x16xf32>
      %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %15 = stablehlo.add %cst, %14 : tensor<f32>
      %16 = stablehlo.multiply %12, %cst_1 : tensor<8x16xf32>
      %17 = stablehlo.multiply %arg10, %arg10 : tensor<8x16xf32>
      %18 = stablehlo.subtract %cst_2, %17 : tensor<8x16xf32>
      %19 = stablehlo.multiply %16, %18 : tensor<8x16xf32>
      %20 = stablehlo.dot_general %19, %arg8, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %21 = stablehlo.add %16, %20 : tensor<8x16xf32>
      %22 = stablehlo.dot_general %arg9, %19, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %23 = stablehlo.add %cst_0, %22 : tensor<16x16xf32>
      mpmd.return %15, %21, %23 : tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %4 = mpmd.transfer %3#1 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %5 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg2, %0#1, %4) {call_counter = 0 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %12 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.subtract %cst_0, %12 : tensor<8x16xf32>
      %14 = stablehlo.multiply %arg8, %13 : tensor<8x16xf32>
      %15 = stablehlo.dot_general %arg6, %14, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %16 = stablehlo.add %cst, %15 : tensor<16x16xf32>
      mpmd.return %16 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    %6:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg3) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %7 = mpmd.transfer %6#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %8:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %7) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>)
    %9:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%8#0, %arg5, %3#0, %arg1, %7, %8#1, %3#2) {call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<f32>, %arg9: tensor<16x16xf32>, %arg10: tensor<8x16xf32>, %arg11: tensor<8x16xf32>, %arg12: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.subtract %arg6, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.multiply %12, %12 : tensor<8x16xf32>
      %14 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %15 = stablehlo.add %arg8, %14 : tensor<f32>
      %16 = stablehlo.multiply %12, %cst : tensor<8x16xf32>
      %17 = stablehlo.multiply %arg11, %arg11 : tensor<8x16xf32>
      %18 = stablehlo.subtract %cst_0, %17 : tensor<8x16xf32>
      %19 = stablehlo.multiply %16, %18 : tensor<8x16xf32>
      %20 = stablehlo.dot_general %19, %arg9, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %21 = stablehlo.add %16, %20 : tensor<8x16xf32>
      %22 = stablehlo.dot_general %arg10, %19, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %23 = stablehlo.add %arg12, %22 : tensor<16x16xf32>
      %cst_2 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %24 = stablehlo.multiply %23, %cst_2 : tensor<16x16xf32>
      %25 = stablehlo.subtract %arg9, %24 : tensor<16x16xf32>
      mpmd.return %15, %21, %25 : tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %10 = mpmd.transfer %9#1 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %11 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg3, %6#1, %10, %5, %arg0) {call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %12 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.subtract %cst, %12 : tensor<8x16xf32>
      %14 = stablehlo.multiply %arg8, %13 : tensor<8x16xf32>
      %15 = stablehlo.dot_general %arg6, %14, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %16 = stablehlo.add %arg9, %15 : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %17 = stablehlo.multiply %16, %cst_0 : tensor<16x16xf32>
      %18 = stablehlo.subtract %arg10, %17 : tensor<16x16xf32>
      mpmd.return %18 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    return %9#0, %11, %9#2 : !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>
  }
}
// ==>
module @jit_train_step {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m0", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg3: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg4: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg5: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) attributes {topology = #mpmd.topology<<"m0" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg2) {call_counter = 0 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %11 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %12 = stablehlo.tanh %11 : tensor<8x16xf32>
      %13 = stablehlo.add %arg7, %12 : tensor<8x16xf32>
      mpmd.return %13, %12 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %2:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %1) {call_counter = 0 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %11 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %12 = stablehlo.tanh %11 : tensor<8x16xf32>
      %13 = stablehlo.add %arg7, %12 : tensor<8x16xf32>
      mpmd.return %13, %12 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>)
    %3:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg3) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %11 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %12 = stablehlo.tanh %11 : tensor<8x16xf32>
      %13 = stablehlo.add %arg7, %12 : tensor<8x16xf32>
      mpmd.return %13, %12 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %4 = mpmd.transfer %3#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %5:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %4) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %11 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %12 = stablehlo.tanh %11 : tensor<8x16xf32>
      %13 = stablehlo.add %arg7, %12 : tensor<8x16xf32>
      mpmd.return %13, %12 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>)
    %6:4 = mpmd.fragment<mesh="m1", origin=["block_1"(1)]> (%2#0, %arg4, %arg1, %1, %2#1, %5#0, %arg5, %4, %5#1) (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<8x16xf32>, %arg10: tensor<8x16xf32>, %arg11: tensor<8x16xf32>, %arg12: tensor<8x16xf32>, %arg13: tensor<8x16xf32>, %arg14: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = stablehlo.subtract %arg6, %arg7 : tensor<8x16xf32>
      %12 = stablehlo.multiply %11, %11 : tensor<8x16xf32>
      %13 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %14 = stablehlo.add %cst, %13 : tensor<f32>
      %15 = stablehlo.multiply %11, %cst_1 : tensor<8x16xf32>
      %16 = stablehlo.multiply %arg10, %arg10 : tensor<8x16xf32>
      %17 = stablehlo.subtract %cst_2, %16 : tensor<8x16xf32>
      %18 = stablehlo.multiply %15, %17 : tensor<8x16xf32>
      %19 = stablehlo.dot_general %18, %arg8, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %20 = stablehlo.add %15, %19 : tensor<8x16xf32>
      %21 = stablehlo.dot_general %arg9, %18, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %22 = stablehlo.add %cst_0, %21 : tensor<16x16xf32>
      %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %23 = stablehlo.subtract %arg11, %arg12 : tensor<8x16xf32>
      %24 = stablehlo.multiply %23, %23 : tensor<8x16xf32>
      %25 = stablehlo.reduce(%24 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %26 = stablehlo.add %14, %25 : tensor<f32>
      %27 = stablehlo.multiply %23, %cst_4 : tensor<8x16xf32>
      %28 = stablehlo.multiply %arg14, %arg14 : tensor<8x16xf32>
      %29 = stablehlo.subtract %cst_5, %28 : tensor<8x16xf32>
      %30 = stablehlo.multiply %27, %29 : tensor<8x16xf32>
      %31 = stablehlo.dot_general %30, %arg8, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %32 = stablehlo.add %27, %31 : tensor<8x16xf32>
      %33 = stablehlo.dot_general %arg13, %30, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %34 = stablehlo.add %22, %33 : tensor<16x16xf32>
      %cst_7 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %35 = stablehlo.multiply %34, %cst_7 : tensor<16x16xf32>
      %36 = stablehlo.subtract %arg8, %35 : tensor<16x16xf32>
      mpmd.return %20, %26, %32, %36 : tensor<8x16xf32>, tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %7 = mpmd.transfer %6#0 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %8 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg2, %0#1, %7) {call_counter = 0 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %11 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %12 = stablehlo.subtract %cst_0, %11 : tensor<8x16xf32>
      %13 = stablehlo.multiply %arg8, %12 : tensor<8x16xf32>
      %14 = stablehlo.dot_general %arg6, %13, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %15 = stablehlo.add %cst, %14 : tensor<16x16xf32>
      mpmd.return %15 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    %9 = mpmd.transfer %6#2 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %10 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg3, %3#1, %9, %8, %arg0) {call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %11 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %12 = stablehlo.subtract %cst, %11 : tensor<8x16xf32>
      %13 = stablehlo.multiply %arg8, %12 : tensor<8x16xf32>
      %14 = stablehlo.dot_general %arg6, %13, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %15 = stablehlo.add %arg9, %14 : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %16 = stablehlo.multiply %15, %cst_0 : tensor<16x16xf32>
      %17 = stablehlo.subtract %arg10, %16 : tensor<16x16xf32>
      mpmd.return %17 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    return %6#1, %10, %6#3 : !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>
  }
}
// -----
// RUN 'mpmd-rule-based-merge{rules=FragmentMergeRule(sources=[FragmentInfo(origins=["block_1"],stage=1,call_counter=0,mesh_name="m1"),FragmentInfo(origins=["block_1"],stage=1,call_counter=1,mesh_name="m1")],target=FragmentInfo(origins=["block_1"],mesh_name="m1"))}'
module @jit_train_step {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m0", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg3: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg4: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg5: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) attributes {topology = #mpmd.topology<<"m0" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg2) {call_counter = 0 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %2:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %1) {call_counter = 0 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>)
    %3:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%2#0, %arg4, %arg1, %1, %2#1) {call_counter = 0 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<8x16xf32>, %arg10: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.subtract %arg6, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.multiply %12, %12 : tensor<8x16xf32>
      %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %15 = stablehlo.add %cst, %14 : tensor<f32>
      %16 = stablehlo.multiply %12, %cst_1 : tensor<8x16xf32>
      %17 = stablehlo.multiply %arg10, %arg10 : tensor<8x16xf32>
      %18 = stablehlo.subtract %cst_2, %17 : tensor<8x16xf32>
      %19 = stablehlo.multiply %16, %18 : tensor<8x16xf32>
      %20 = stablehlo.dot_general %19, %arg8, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %21 = stablehlo.add %16, %20 : tensor<8x16xf32>
      %22 = stablehlo.dot_general %arg9, %19, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %23 = stablehlo.add %cst_0, %22 : tensor<16x16xf32>
      mpmd.return %15, %21, %23 : tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %4 = mpmd.transfer %3#1 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %5 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg2, %0#1, %4) {call_counter = 0 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %12 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.subtract %cst_0, %12 : tensor<8x16xf32>
      %14 = stablehlo.multiply %arg8, %13 : tensor<8x16xf32>
      %15 = stablehlo.dot_general %arg6, %14, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %16 = stablehlo.add %cst, %15 : tensor<16x16xf32>
      mpmd.return %16 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    %6:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg3) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %7 = mpmd.transfer %6#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %8:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %7) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>)
    %9:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%8#0, %arg5, %3#0, %arg1, %7, %8#1, %3#2) {call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<f32>, %arg9: tensor<16x16xf32>, %arg10: tensor<8x16xf32>, %arg11: tensor<8x16xf32>, %arg12: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.subtract %arg6, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.multiply %12, %12 : tensor<8x16xf32>
      %14 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %15 = stablehlo.add %arg8, %14 : tensor<f32>
      %16 = stablehlo.multiply %12, %cst : tensor<8x16xf32>
      %17 = stablehlo.multiply %arg11, %arg11 : tensor<8x16xf32>
      %18 = stablehlo.subtract %cst_0, %17 : tensor<8x16xf32>
      %19 = stablehlo.multiply %16, %18 : tensor<8x16xf32>
      %20 = stablehlo.dot_general %19, %arg9, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %21 = stablehlo.add %16, %20 : tensor<8x16xf32>
      %22 = stablehlo.dot_general %arg10, %19, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %23 = stablehlo.add %arg12, %22 : tensor<16x16xf32>
      %cst_2 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %24 = stablehlo.multiply %23, %cst_2 : tensor<16x16xf32>
      %25 = stablehlo.subtract %arg9, %24 : tensor<16x16xf32>
      mpmd.return %15, %21, %25 : tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %10 = mpmd.transfer %9#1 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %11 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg3, %6#1, %10, %5, %arg0) {call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %12 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.subtract %cst, %12 : tensor<8x16xf32>
      %14 = stablehlo.multiply %arg8, %13 : tensor<8x16xf32>
      %15 = stablehlo.dot_general %arg6, %14, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %16 = stablehlo.add %arg9, %15 : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %17 = stablehlo.multiply %16, %cst_0 : tensor<16x16xf32>
      %18 = stablehlo.subtract %arg10, %17 : tensor<16x16xf32>
      mpmd.return %18 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    return %9#0, %11, %9#2 : !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>
  }
}
// ==>
module @jit_train_step {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m0", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg3: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg4: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg5: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) attributes {topology = #mpmd.topology<<"m0" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg2) {call_counter = 0 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %11 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %12 = stablehlo.tanh %11 : tensor<8x16xf32>
      %13 = stablehlo.add %arg7, %12 : tensor<8x16xf32>
      mpmd.return %13, %12 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %2:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg3) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %11 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %12 = stablehlo.tanh %11 : tensor<8x16xf32>
      %13 = stablehlo.add %arg7, %12 : tensor<8x16xf32>
      mpmd.return %13, %12 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %3 = mpmd.transfer %2#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %4:4 = mpmd.fragment<mesh="m1", origin=["block_1"]> (%arg1, %1, %3) (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>) {
      %11 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %12 = stablehlo.tanh %11 : tensor<8x16xf32>
      %13 = stablehlo.add %arg7, %12 : tensor<8x16xf32>
      %14 = stablehlo.dot_general %arg8, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %15 = stablehlo.tanh %14 : tensor<8x16xf32>
      %16 = stablehlo.add %arg8, %15 : tensor<8x16xf32>
      mpmd.return %13, %12, %16, %15 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>)
    %5:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%4#0, %arg4, %arg1, %1, %4#1) {call_counter = 0 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<8x16xf32>, %arg10: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = stablehlo.subtract %arg6, %arg7 : tensor<8x16xf32>
      %12 = stablehlo.multiply %11, %11 : tensor<8x16xf32>
      %13 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %14 = stablehlo.add %cst, %13 : tensor<f32>
      %15 = stablehlo.multiply %11, %cst_1 : tensor<8x16xf32>
      %16 = stablehlo.multiply %arg10, %arg10 : tensor<8x16xf32>
      %17 = stablehlo.subtract %cst_2, %16 : tensor<8x16xf32>
      %18 = stablehlo.multiply %15, %17 : tensor<8x16xf32>
      %19 = stablehlo.dot_general %18, %arg8, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %20 = stablehlo.add %15, %19 : tensor<8x16xf32>
      %21 = stablehlo.dot_general %arg9, %18, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %22 = stablehlo.add %cst_0, %21 : tensor<16x16xf32>
      mpmd.return %14, %20, %22 : tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %6 = mpmd.transfer %5#1 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %7 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg2, %0#1, %6) {call_counter = 0 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %11 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %12 = stablehlo.subtract %cst_0, %11 : tensor<8x16xf32>
      %13 = stablehlo.multiply %arg8, %12 : tensor<8x16xf32>
      %14 = stablehlo.dot_general %arg6, %13, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %15 = stablehlo.add %cst, %14 : tensor<16x16xf32>
      mpmd.return %15 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    %8:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%4#2, %arg5, %5#0, %arg1, %3, %4#3, %5#2) {call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<f32>, %arg9: tensor<16x16xf32>, %arg10: tensor<8x16xf32>, %arg11: tensor<8x16xf32>, %arg12: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = stablehlo.subtract %arg6, %arg7 : tensor<8x16xf32>
      %12 = stablehlo.multiply %11, %11 : tensor<8x16xf32>
      %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %14 = stablehlo.add %arg8, %13 : tensor<f32>
      %15 = stablehlo.multiply %11, %cst : tensor<8x16xf32>
      %16 = stablehlo.multiply %arg11, %arg11 : tensor<8x16xf32>
      %17 = stablehlo.subtract %cst_0, %16 : tensor<8x16xf32>
      %18 = stablehlo.multiply %15, %17 : tensor<8x16xf32>
      %19 = stablehlo.dot_general %18, %arg9, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %20 = stablehlo.add %15, %19 : tensor<8x16xf32>
      %21 = stablehlo.dot_general %arg10, %18, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %22 = stablehlo.add %arg12, %21 : tensor<16x16xf32>
      %cst_2 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %23 = stablehlo.multiply %22, %cst_2 : tensor<16x16xf32>
      %24 = stablehlo.subtract %arg9, %23 : tensor<16x16xf32>
      mpmd.return %14, %20, %24 : tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %9 = mpmd.transfer %8#1 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %10 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg3, %2#1, %9, %7, %arg0) {call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %11 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %12 = stablehlo.subtract %cst, %11 : tensor<8x16xf32>
      %13 = stablehlo.multiply %arg8, %12 : tensor<8x16xf32>
      %14 = stablehlo.dot_general %arg6, %13, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %15 = stablehlo.add %arg9, %14 : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %16 = stablehlo.multiply %15, %cst_0 : tensor<16x16xf32>
      %17 = stablehlo.subtract %arg10, %16 : tensor<16x16xf32>
      mpmd.return %17 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    return %8#0, %10, %8#2 : !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>
  }
}
// -----
// RUN 'mpmd-rule-based-merge{rules=FragmentMergeRule(sources=[FragmentInfo(origins=["block_1"],stage=1,call_counter=0,mesh_name="m1"),FragmentInfo(origins=["block_1"(1)],stage=1,call_counter=0,mesh_name="m1")],target=FragmentInfo(origins=["block_1","block_1"(1)],mesh_name="m1"))}'
module @jit_train_step {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m0", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg3: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg4: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg5: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) attributes {topology = #mpmd.topology<<"m0" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg2) {call_counter = 0 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %2:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %1) {call_counter = 0 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>)
    %3:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%2#0, %arg4, %arg1, %1, %2#1) {call_counter = 0 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<8x16xf32>, %arg10: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.subtract %arg6, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.multiply %12, %12 : tensor<8x16xf32>
      %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %15 = stablehlo.add %cst, %14 : tensor<f32>
      %16 = stablehlo.multiply %12, %cst_1 : tensor<8x16xf32>
      %17 = stablehlo.multiply %arg10, %arg10 : tensor<8x16xf32>
      %18 = stablehlo.subtract %cst_2, %17 : tensor<8x16xf32>
      %19 = stablehlo.multiply %16, %18 : tensor<8x16xf32>
      %20 = stablehlo.dot_general %19, %arg8, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %21 = stablehlo.add %16, %20 : tensor<8x16xf32>
      %22 = stablehlo.dot_general %arg9, %19, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %23 = stablehlo.add %cst_0, %22 : tensor<16x16xf32>
      mpmd.return %15, %21, %23 : tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %4 = mpmd.transfer %3#1 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %5 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg2, %0#1, %4) {call_counter = 0 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %12 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.subtract %cst_0, %12 : tensor<8x16xf32>
      %14 = stablehlo.multiply %arg8, %13 : tensor<8x16xf32>
      %15 = stablehlo.dot_general %arg6, %14, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %16 = stablehlo.add %cst, %15 : tensor<16x16xf32>
      mpmd.return %16 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    %6:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg3) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %7 = mpmd.transfer %6#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %8:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %7) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %12 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %13 = stablehlo.tanh %12 : tensor<8x16xf32>
      %14 = stablehlo.add %arg7, %13 : tensor<8x16xf32>
      mpmd.return %14, %13 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>)
    %9:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%8#0, %arg5, %3#0, %arg1, %7, %8#1, %3#2) {call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<f32>, %arg9: tensor<16x16xf32>, %arg10: tensor<8x16xf32>, %arg11: tensor<8x16xf32>, %arg12: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.subtract %arg6, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.multiply %12, %12 : tensor<8x16xf32>
      %14 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %15 = stablehlo.add %arg8, %14 : tensor<f32>
      %16 = stablehlo.multiply %12, %cst : tensor<8x16xf32>
      %17 = stablehlo.multiply %arg11, %arg11 : tensor<8x16xf32>
      %18 = stablehlo.subtract %cst_0, %17 : tensor<8x16xf32>
      %19 = stablehlo.multiply %16, %18 : tensor<8x16xf32>
      %20 = stablehlo.dot_general %19, %arg9, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %21 = stablehlo.add %16, %20 : tensor<8x16xf32>
      %22 = stablehlo.dot_general %arg10, %19, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %23 = stablehlo.add %arg12, %22 : tensor<16x16xf32>
      %cst_2 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %24 = stablehlo.multiply %23, %cst_2 : tensor<16x16xf32>
      %25 = stablehlo.subtract %arg9, %24 : tensor<16x16xf32>
      mpmd.return %15, %21, %25 : tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %10 = mpmd.transfer %9#1 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %11 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg3, %6#1, %10, %5, %arg0) {call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %12 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %13 = stablehlo.subtract %cst, %12 : tensor<8x16xf32>
      %14 = stablehlo.multiply %arg8, %13 : tensor<8x16xf32>
      %15 = stablehlo.dot_general %arg6, %14, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %16 = stablehlo.add %arg9, %15 : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %17 = stablehlo.multiply %16, %cst_0 : tensor<16x16xf32>
      %18 = stablehlo.subtract %arg10, %17 : tensor<16x16xf32>
      mpmd.return %18 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    return %9#0, %11, %9#2 : !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>
  }
}
// ==>
module @jit_train_step {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m0", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<16x16xf32>> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg3: !mpmd.mesh_tensor<"m0", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg4: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg5: !mpmd.mesh_tensor<"m1", tensor<8x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) attributes {topology = #mpmd.topology<<"m0" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg2) {call_counter = 0 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %11 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %12 = stablehlo.tanh %11 : tensor<8x16xf32>
      %13 = stablehlo.add %arg7, %12 : tensor<8x16xf32>
      mpmd.return %13, %12 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %2:3 = mpmd.fragment<mesh="m1", origin=["block_1", "block_1"(1)]> (%arg1, %1, %arg4) (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>) {
      %11 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %12 = stablehlo.tanh %11 : tensor<8x16xf32>
      %13 = stablehlo.add %arg7, %12 : tensor<8x16xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %14 = stablehlo.subtract %13, %arg8 : tensor<8x16xf32>
      %15 = stablehlo.multiply %14, %14 : tensor<8x16xf32>
      %16 = stablehlo.reduce(%15 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %17 = stablehlo.add %cst, %16 : tensor<f32>
      %18 = stablehlo.multiply %14, %cst_1 : tensor<8x16xf32>
      %19 = stablehlo.multiply %12, %12 : tensor<8x16xf32>
      %20 = stablehlo.subtract %cst_2, %19 : tensor<8x16xf32>
      %21 = stablehlo.multiply %18, %20 : tensor<8x16xf32>
      %22 = stablehlo.dot_general %21, %arg6, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %23 = stablehlo.add %18, %22 : tensor<8x16xf32>
      %24 = stablehlo.dot_general %arg7, %21, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %25 = stablehlo.add %cst_0, %24 : tensor<16x16xf32>
      mpmd.return %17, %23, %25 : tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %3 = mpmd.transfer %2#1 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %4 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg2, %0#1, %3) {call_counter = 0 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %11 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %12 = stablehlo.subtract %cst_0, %11 : tensor<8x16xf32>
      %13 = stablehlo.multiply %arg8, %12 : tensor<8x16xf32>
      %14 = stablehlo.dot_general %arg6, %13, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %15 = stablehlo.add %cst, %14 : tensor<16x16xf32>
      mpmd.return %15 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    %5:2 = mpmd.fragment<mesh="m0", origin=["block_0"], stage=0> (%arg0, %arg3) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %11 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %12 = stablehlo.tanh %11 : tensor<8x16xf32>
      %13 = stablehlo.add %arg7, %12 : tensor<8x16xf32>
      mpmd.return %13, %12 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>)
    %6 = mpmd.transfer %5#0 : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>
    %7:2 = mpmd.fragment<mesh="m1", origin=["block_1"], stage=1> (%arg1, %6) {call_counter = 1 : ui32} (%arg6: tensor<16x16xf32>, %arg7: tensor<8x16xf32>) {
      %11 = stablehlo.dot_general %arg7, %arg6, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %12 = stablehlo.tanh %11 : tensor<8x16xf32>
      %13 = stablehlo.add %arg7, %12 : tensor<8x16xf32>
      mpmd.return %13, %12 : tensor<8x16xf32>, tensor<8x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>)
    %8:3 = mpmd.fragment<mesh="m1", origin=["block_1"(1)], stage=1> (%7#0, %arg5, %2#0, %arg1, %6, %7#1, %2#2) {call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<f32>, %arg9: tensor<16x16xf32>, %arg10: tensor<8x16xf32>, %arg11: tensor<8x16xf32>, %arg12: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<8x16xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = stablehlo.subtract %arg6, %arg7 : tensor<8x16xf32>
      %12 = stablehlo.multiply %11, %11 : tensor<8x16xf32>
      %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %14 = stablehlo.add %arg8, %13 : tensor<f32>
      %15 = stablehlo.multiply %11, %cst : tensor<8x16xf32>
      %16 = stablehlo.multiply %arg11, %arg11 : tensor<8x16xf32>
      %17 = stablehlo.subtract %cst_0, %16 : tensor<8x16xf32>
      %18 = stablehlo.multiply %15, %17 : tensor<8x16xf32>
      %19 = stablehlo.dot_general %18, %arg9, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %20 = stablehlo.add %15, %19 : tensor<8x16xf32>
      %21 = stablehlo.dot_general %arg10, %18, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %22 = stablehlo.add %arg12, %21 : tensor<16x16xf32>
      %cst_2 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %23 = stablehlo.multiply %22, %cst_2 : tensor<16x16xf32>
      %24 = stablehlo.subtract %arg9, %23 : tensor<16x16xf32>
      mpmd.return %14, %20, %24 : tensor<f32>, tensor<8x16xf32>, tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>)
    %9 = mpmd.transfer %8#1 : (!mpmd.mesh_tensor<"m1", tensor<8x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>
    %10 = mpmd.fragment<mesh="m0", origin=["block_0"(1)], stage=0> (%arg3, %5#1, %9, %4, %arg0) {call_counter = 1 : ui32} (%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16x16xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<8x16xf32>
      %11 = stablehlo.multiply %arg7, %arg7 : tensor<8x16xf32>
      %12 = stablehlo.subtract %cst, %11 : tensor<8x16xf32>
      %13 = stablehlo.multiply %arg8, %12 : tensor<8x16xf32>
      %14 = stablehlo.dot_general %arg6, %13, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %15 = stablehlo.add %arg9, %14 : tensor<16x16xf32>
      %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<16x16xf32>
      %16 = stablehlo.multiply %15, %cst_0 : tensor<16x16xf32>
      %17 = stablehlo.subtract %arg10, %16 : tensor<16x16xf32>
      mpmd.return %17 : tensor<16x16xf32>
    } : (!mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<8x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
    return %8#0, %10, %8#2 : !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>, !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>
  }
}
