// {"meshes": [["m0", [["data", 2]]], ["m1", [["data", 2]]]], "assign": {"layer_0": "m0/0", "layer_1": "m1/1", "head": "m1/1"}, "donate": [0, 1, 2, 3, 4], "options": {"mpmd_infer_transfers": true}, "ways": [["1F1B", false, false], ["ZeroBubbleH1", true, false], ["GPipe", false, true]]}
module @jit_step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<24x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<8x24xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<24x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg4: tensor<8x24xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg5: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg6: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg7: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg8: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg9: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg10: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg11: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg12: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<16x8xf32> {jax.result_info = "result[1]['embed']"}, tensor<24x8xf32> {jax.result_info = "result[1]['layers'][0]['down']"}, tensor<8x24xf32> {jax.result_info = "result[1]['layers'][0]['up']"}, tensor<24x8xf32> {jax.result_info = "result[1]['layers'][1]['down']"}, tensor<8x24xf32> {jax.result_info = "result[1]['layers'][1]['up']"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5:6 = mpmd.call @"<lambda>"(%arg1, %arg2, %arg3, %arg4, %arg0, %cst_4, %0, %1, %2, %3, %4, %arg5, %arg9) {call_counter = 0 : ui32} : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<16x8xf32>, tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x16xf32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %6:6 = mpmd.call @"<lambda>"(%arg1, %arg2, %arg3, %arg4, %arg0, %5#0, %5#1, %5#2, %5#3, %5#4, %5#5, %arg6, %arg10) {call_counter = 1 : ui32} : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<16x8xf32>, tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x16xf32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %7:6 = mpmd.call @"<lambda>"(%arg1, %arg2, %arg3, %arg4, %arg0, %6#0, %6#1, %6#2, %6#3, %6#4, %6#5, %arg7, %arg11) {call_counter = 2 : ui32} : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<16x8xf32>, tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x16xf32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %8:6 = mpmd.call @"<lambda>"(%arg1, %arg2, %arg3, %arg4, %arg0, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %arg8, %arg12) {call_counter = 3 : ui32} : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<16x8xf32>, tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x16xf32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %cst_5 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %10 = stablehlo.multiply %9, %8#1 : tensor<16x8xf32>
    %11 = stablehlo.subtract %arg0, %10 : tensor<16x8xf32>
    %cst_6 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %13 = stablehlo.multiply %12, %8#2 : tensor<24x8xf32>
    %14 = stablehlo.subtract %arg1, %13 : tensor<24x8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %16 = stablehlo.multiply %15, %8#3 : tensor<8x24xf32>
    %17 = stablehlo.subtract %arg2, %16 : tensor<8x24xf32>
    %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %19 = stablehlo.multiply %18, %8#4 : tensor<24x8xf32>
    %20 = stablehlo.subtract %arg3, %19 : tensor<24x8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %22 = stablehlo.multiply %21, %8#5 : tensor<8x24xf32>
    %23 = stablehlo.subtract %arg4, %22 : tensor<8x24xf32>
    return %8#0, %11, %14, %17, %20, %23 : tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>
  }
  func.func private @"<lambda>"(%arg0: tensor<24x8xf32>, %arg1: tensor<8x24xf32>, %arg2: tensor<24x8xf32>, %arg3: tensor<8x24xf32>, %arg4: tensor<16x8xf32>, %arg5: tensor<f32>, %arg6: tensor<16x8xf32>, %arg7: tensor<24x8xf32>, %arg8: tensor<8x24xf32>, %arg9: tensor<24x8xf32>, %arg10: tensor<8x24xf32>, %arg11: tensor<4x8xf32>, %arg12: tensor<4x16xf32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>) {
    %0:3 = mpmd.named_computation<"layer_0"> (%arg0, %arg1, %arg11) (%arg13: tensor<24x8xf32>, %arg14: tensor<8x24xf32>, %arg15: tensor<4x8xf32>) {
      %23 = stablehlo.dot_general %arg15, %arg14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %24 = stablehlo.tanh %23 : tensor<4x24xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %26 = stablehlo.add %25, %24 : tensor<4x24xf32>
      %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %27 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %28 = stablehlo.subtract %27, %24 : tensor<4x24xf32>
      %29 = stablehlo.multiply %26, %28 : tensor<4x24xf32>
      %30 = stablehlo.dot_general %24, %arg13, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
      %31 = stablehlo.add %arg15, %30 : tensor<4x8xf32>
      mpmd.return %31, %29, %24 : tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>)
    %1:3 = mpmd.named_computation<"layer_1"> (%arg2, %arg3, %0#0) (%arg13: tensor<24x8xf32>, %arg14: tensor<8x24xf32>, %arg15: tensor<4x8xf32>) {
      %23 = stablehlo.dot_general %arg15, %arg14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %24 = stablehlo.tanh %23 : tensor<4x24xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %26 = stablehlo.add %25, %24 : tensor<4x24xf32>
      %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %27 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %28 = stablehlo.subtract %27, %24 : tensor<4x24xf32>
      %29 = stablehlo.multiply %26, %28 : tensor<4x24xf32>
      %30 = stablehlo.dot_general %24, %arg13, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
      %31 = stablehlo.add %arg15, %30 : tensor<4x8xf32>
      mpmd.return %31, %29, %24 : tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>)
    %2 = mpmd.broadcast %arg4 : tensor<16x8xf32>
    %3:2 = mpmd.named_computation<"head"> (%2, %1#0) (%arg13: tensor<16x8xf32>, %arg14: tensor<4x8xf32>) {
      %23 = stablehlo.transpose %arg13, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
      %24 = stablehlo.dot_general %arg14, %23, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
      mpmd.return %24, %23 : tensor<4x16xf32>, tensor<8x16xf32>
    } : (tensor<16x8xf32>, tensor<4x8xf32>) -> (tensor<4x16xf32>, tensor<8x16xf32>)
    %4 = stablehlo.subtract %3#0, %arg12 : tensor<4x16xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<4x16xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %7 = stablehlo.multiply %6, %4 : tensor<4x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %9 = stablehlo.divide %8, %cst_1 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %10 = stablehlo.divide %cst_2, %cst_3 : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %12 = stablehlo.multiply %11, %7 : tensor<4x16xf32>
    %13:2 = mpmd.named_computation<"head"(1)> (%3#1, %1#0, %12) (%arg13: tensor<8x16xf32>, %arg14: tensor<4x8xf32>, %arg15: tensor<4x16xf32>) {
      %23 = stablehlo.dot_general %arg15, %arg14, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<4x8xf32>) -> tensor<16x8xf32>
      %24 = stablehlo.transpose %23, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
      %25 = stablehlo.dot_general %arg15, %arg13, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<8x16xf32>) -> tensor<4x8xf32>
      %26 = stablehlo.transpose %24, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
      mpmd.return %26, %25 : tensor<16x8xf32>, tensor<4x8xf32>
    } : (tensor<8x16xf32>, tensor<4x8xf32>, tensor<4x16xf32>) -> (tensor<16x8xf32>, tensor<4x8xf32>)
    %14 = mpmd.reduce<none> %13#0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %15:3 = mpmd.named_computation<"layer_1"(1)> (%arg3, %0#0, %1#1, %arg2, %1#2, %13#1) (%arg13: tensor<8x24xf32>, %arg14: tensor<4x8xf32>, %arg15: tensor<4x24xf32>, %arg16: tensor<24x8xf32>, %arg17: tensor<4x24xf32>, %arg18: tensor<4x8xf32>) {
      %23 = stablehlo.dot_general %arg18, %arg17, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x24xf32>) -> tensor<8x24xf32>
      %24 = stablehlo.transpose %23, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
      %25 = stablehlo.dot_general %arg18, %arg16, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
      %26 = stablehlo.multiply %25, %arg15 : tensor<4x24xf32>
      %27 = stablehlo.dot_general %26, %arg14, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<4x8xf32>) -> tensor<24x8xf32>
      %28 = stablehlo.transpose %27, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
      %29 = stablehlo.dot_general %26, %arg13, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<8x24xf32>) -> tensor<4x8xf32>
      %30 = stablehlo.add %arg18, %29 : tensor<4x8xf32>
      mpmd.return %24, %28, %30 : tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>
    } : (tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x24xf32>, tensor<24x8xf32>, tensor<4x24xf32>, tensor<4x8xf32>) -> (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>)
    %16:2 = mpmd.named_computation<"layer_0"(1)> (%arg11, %0#1, %arg0, %0#2, %15#2) (%arg13: tensor<4x8xf32>, %arg14: tensor<4x24xf32>, %arg15: tensor<24x8xf32>, %arg16: tensor<4x24xf32>, %arg17: tensor<4x8xf32>) {
      %23 = stablehlo.dot_general %arg17, %arg16, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x24xf32>) -> tensor<8x24xf32>
      %24 = stablehlo.transpose %23, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
      %25 = stablehlo.dot_general %arg17, %arg15, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
      %26 = stablehlo.multiply %25, %arg14 : tensor<4x24xf32>
      %27 = stablehlo.dot_general %26, %arg13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<4x8xf32>) -> tensor<24x8xf32>
      %28 = stablehlo.transpose %27, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
      mpmd.return %24, %28 : tensor<24x8xf32>, tensor<8x24xf32>
    } : (tensor<4x8xf32>, tensor<4x24xf32>, tensor<24x8xf32>, tensor<4x24xf32>, tensor<4x8xf32>) -> (tensor<24x8xf32>, tensor<8x24xf32>)
    %17 = stablehlo.add %arg5, %9 : tensor<f32>
    %18 = stablehlo.add %arg6, %14 : tensor<16x8xf32>
    %19 = stablehlo.add %arg7, %16#0 : tensor<24x8xf32>
    %20 = stablehlo.add %arg8, %16#1 : tensor<8x24xf32>
    %21 = stablehlo.add %arg9, %15#0 : tensor<24x8xf32>
    %22 = stablehlo.add %arg10, %15#1 : tensor<8x24xf32>
    return %17, %18, %19, %20, %21, %22 : tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>
  }
}
