// {"meshes": [["m0", [["data", 2]]], ["m1", [["data", 2]]], ["m2", [["data", 2]]], ["m3", [["data", 2]]]], "assign": {"layer_0": "m0/0", "layer_1": "m1/1", "layer_2": "m2/2", "layer_3": "m3/3", "head": "m3/3"}, "donate": [], "options": {"mpmd_infer_transfers": true}, "ways": [["Circular", false, false], ["ZeroBubbleH2HalfTxLatency", true, false], ["None", false, false]]}
module @jit_step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<24x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<8x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<24x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg4: tensor<8x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg5: tensor<24x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg6: tensor<8x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg7: tensor<24x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg8: tensor<8x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg9: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg10: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg11: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg12: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg13: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg14: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<16x8xf32> {jax.result_info = "result[1]['embed']"}, tensor<24x8xf32> {jax.result_info = "result[1]['layers'][0]['down']"}, tensor<8x24xf32> {jax.result_info = "result[1]['layers'][0]['up']"}, tensor<24x8xf32> {jax.result_info = "result[1]['layers'][1]['down']"}, tensor<8x24xf32> {jax.result_info = "result[1]['layers'][1]['up']"}, tensor<24x8xf32> {jax.result_info = "result[1]['layers'][2]['down']"}, tensor<8x24xf32> {jax.result_info = "result[1]['layers'][2]['up']"}, tensor<24x8xf32> {jax.result_info = "result[1]['layers'][3]['down']"}, tensor<8x24xf32> {jax.result_info = "result[1]['layers'][3]['up']"}) {
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
    %5 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9:10 = mpmd.call @"<lambda>"(%arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg0, %cst_8, %0, %1, %2, %3, %4, %5, %6, %7, %8, %arg9, %arg12) {call_counter = 0 : ui32} : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<16x8xf32>, tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x16xf32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %10:10 = mpmd.call @"<lambda>"(%arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg0, %9#0, %9#1, %9#2, %9#3, %9#4, %9#5, %9#6, %9#7, %9#8, %9#9, %arg10, %arg13) {call_counter = 1 : ui32} : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<16x8xf32>, tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x16xf32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %11:10 = mpmd.call @"<lambda>"(%arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg0, %10#0, %10#1, %10#2, %10#3, %10#4, %10#5, %10#6, %10#7, %10#8, %10#9, %arg11, %arg14) {call_counter = 2 : ui32} : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<16x8xf32>, tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x16xf32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %13 = stablehlo.multiply %12, %11#1 : tensor<16x8xf32>
    %14 = stablehlo.subtract %arg0, %13 : tensor<16x8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %16 = stablehlo.multiply %15, %11#2 : tensor<24x8xf32>
    %17 = stablehlo.subtract %arg1, %16 : tensor<24x8xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %19 = stablehlo.multiply %18, %11#3 : tensor<8x24xf32>
    %20 = stablehlo.subtract %arg2, %19 : tensor<8x24xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %22 = stablehlo.multiply %21, %11#4 : tensor<24x8xf32>
    %23 = stablehlo.subtract %arg3, %22 : tensor<24x8xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %25 = stablehlo.multiply %24, %11#5 : tensor<8x24xf32>
    %26 = stablehlo.subtract %arg4, %25 : tensor<8x24xf32>
    %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %28 = stablehlo.multiply %27, %11#6 : tensor<24x8xf32>
    %29 = stablehlo.subtract %arg5, %28 : tensor<24x8xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %31 = stablehlo.multiply %30, %11#7 : tensor<8x24xf32>
    %32 = stablehlo.subtract %arg6, %31 : tensor<8x24xf32>
    %cst_16 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %34 = stablehlo.multiply %33, %11#8 : tensor<24x8xf32>
    %35 = stablehlo.subtract %arg7, %34 : tensor<24x8xf32>
    %cst_17 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %37 = stablehlo.multiply %36, %11#9 : tensor<8x24xf32>
    %38 = stablehlo.subtract %arg8, %37 : tensor<8x24xf32>
    return %11#0, %14, %17, %20, %23, %26, %29, %32, %35, %38 : tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>
  }
  func.func private @"<lambda>"(%arg0: tensor<24x8xf32>, %arg1: tensor<8x24xf32>, %arg2: tensor<24x8xf32>, %arg3: tensor<8x24xf32>, %arg4: tensor<24x8xf32>, %arg5: tensor<8x24xf32>, %arg6: tensor<24x8xf32>, %arg7: tensor<8x24xf32>, %arg8: tensor<16x8xf32>, %arg9: tensor<f32>, %arg10: tensor<16x8xf32>, %arg11: tensor<24x8xf32>, %arg12: tensor<8x24xf32>, %arg13: tensor<24x8xf32>, %arg14: tensor<8x24xf32>, %arg15: tensor<24x8xf32>, %arg16: tensor<8x24xf32>, %arg17: tensor<24x8xf32>, %arg18: tensor<8x24xf32>, %arg19: tensor<4x8xf32>, %arg20: tensor<4x16xf32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>) {
    %0 = mpmd.named_computation<"layer_0"> (%arg0, %arg1, %arg19) (%arg21: tensor<24x8xf32>, %arg22: tensor<8x24xf32>, %arg23: tensor<4x8xf32>) {
      %31 = stablehlo.dot_general %arg23, %arg22, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %32 = stablehlo.tanh %31 : tensor<4x24xf32>
      %33 = stablehlo.dot_general %32, %arg21, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
      %34 = stablehlo.add %arg23, %33 : tensor<4x8xf32>
      mpmd.return %34 : tensor<4x8xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = mpmd.named_computation<"layer_1"> (%arg2, %arg3, %0) (%arg21: tensor<24x8xf32>, %arg22: tensor<8x24xf32>, %arg23: tensor<4x8xf32>) {
      %31 = stablehlo.dot_general %arg23, %arg22, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %32 = stablehlo.tanh %31 : tensor<4x24xf32>
      %33 = stablehlo.dot_general %32, %arg21, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
      %34 = stablehlo.add %arg23, %33 : tensor<4x8xf32>
      mpmd.return %34 : tensor<4x8xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = mpmd.named_computation<"layer_2"> (%arg4, %arg5, %1) (%arg21: tensor<24x8xf32>, %arg22: tensor<8x24xf32>, %arg23: tensor<4x8xf32>) {
      %31 = stablehlo.dot_general %arg23, %arg22, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %32 = stablehlo.tanh %31 : tensor<4x24xf32>
      %33 = stablehlo.dot_general %32, %arg21, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
      %34 = stablehlo.add %arg23, %33 : tensor<4x8xf32>
      mpmd.return %34 : tensor<4x8xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = mpmd.named_computation<"layer_3"> (%arg6, %arg7, %2) (%arg21: tensor<24x8xf32>, %arg22: tensor<8x24xf32>, %arg23: tensor<4x8xf32>) {
      %31 = stablehlo.dot_general %arg23, %arg22, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %32 = stablehlo.tanh %31 : tensor<4x24xf32>
      %33 = stablehlo.dot_general %32, %arg21, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
      %34 = stablehlo.add %arg23, %33 : tensor<4x8xf32>
      mpmd.return %34 : tensor<4x8xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %4 = mpmd.broadcast %arg8 : tensor<16x8xf32>
    %5:2 = mpmd.named_computation<"head"> (%4, %3) (%arg21: tensor<16x8xf32>, %arg22: tensor<4x8xf32>) {
      %31 = stablehlo.transpose %arg21, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
      %32 = stablehlo.dot_general %arg22, %31, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
      mpmd.return %32, %31 : tensor<4x16xf32>, tensor<8x16xf32>
    } : (tensor<16x8xf32>, tensor<4x8xf32>) -> (tensor<4x16xf32>, tensor<8x16xf32>)
    %6 = stablehlo.subtract %5#0, %arg20 : tensor<4x16xf32>
    %7 = stablehlo.multiply %6, %6 : tensor<4x16xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %9 = stablehlo.multiply %8, %6 : tensor<4x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %11 = stablehlo.divide %10, %cst_1 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %12 = stablehlo.divide %cst_2, %cst_3 : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %14 = stablehlo.multiply %13, %9 : tensor<4x16xf32>
    %15:2 = mpmd.named_computation<"head"(1)> (%5#1, %3, %14) (%arg21: tensor<8x16xf32>, %arg22: tensor<4x8xf32>, %arg23: tensor<4x16xf32>) {
      %31 = stablehlo.dot_general %arg23, %arg22, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<4x8xf32>) -> tensor<16x8xf32>
      %32 = stablehlo.transpose %31, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
      %33 = stablehlo.dot_general %arg23, %arg21, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<8x16xf32>) -> tensor<4x8xf32>
      %34 = stablehlo.transpose %32, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
      mpmd.return %34, %33 : tensor<16x8xf32>, tensor<4x8xf32>
    } : (tensor<8x16xf32>, tensor<4x8xf32>, tensor<4x16xf32>) -> (tensor<16x8xf32>, tensor<4x8xf32>)
    %16 = mpmd.reduce<none> %15#0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %17:3 = mpmd.named_computation<"layer_3"(1)> (%arg6, %arg7, %2, %15#1) (%arg21: tensor<24x8xf32>, %arg22: tensor<8x24xf32>, %arg23: tensor<4x8xf32>, %arg24: tensor<4x8xf32>) {
      %31:4 = stablehlo.optimization_barrier %arg21, %arg22, %arg23, %arg24 : tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x8xf32>
      %32 = stablehlo.dot_general %31#2, %31#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %33 = stablehlo.tanh %32 : tensor<4x24xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %34 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %35 = stablehlo.add %34, %33 : tensor<4x24xf32>
      %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %36 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %37 = stablehlo.subtract %36, %33 : tensor<4x24xf32>
      %38 = stablehlo.multiply %35, %37 : tensor<4x24xf32>
      %39 = stablehlo.dot_general %31#3, %33, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x24xf32>) -> tensor<8x24xf32>
      %40 = stablehlo.transpose %39, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
      %41 = stablehlo.dot_general %31#3, %31#0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
      %42 = stablehlo.multiply %41, %38 : tensor<4x24xf32>
      %43 = stablehlo.dot_general %42, %31#2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<4x8xf32>) -> tensor<24x8xf32>
      %44 = stablehlo.transpose %43, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
      %45 = stablehlo.dot_general %42, %31#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<8x24xf32>) -> tensor<4x8xf32>
      %46 = stablehlo.add %31#3, %45 : tensor<4x8xf32>
      mpmd.return %40, %44, %46 : tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>)
    %18:3 = mpmd.named_computation<"layer_2"(1)> (%arg4, %arg5, %1, %17#2) (%arg21: tensor<24x8xf32>, %arg22: tensor<8x24xf32>, %arg23: tensor<4x8xf32>, %arg24: tensor<4x8xf32>) {
      %31:4 = stablehlo.optimization_barrier %arg21, %arg22, %arg23, %arg24 : tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x8xf32>
      %32 = stablehlo.dot_general %31#2, %31#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %33 = stablehlo.tanh %32 : tensor<4x24xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %34 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %35 = stablehlo.add %34, %33 : tensor<4x24xf32>
      %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %36 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %37 = stablehlo.subtract %36, %33 : tensor<4x24xf32>
      %38 = stablehlo.multiply %35, %37 : tensor<4x24xf32>
      %39 = stablehlo.dot_general %31#3, %33, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x24xf32>) -> tensor<8x24xf32>
      %40 = stablehlo.transpose %39, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
      %41 = stablehlo.dot_general %31#3, %31#0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
      %42 = stablehlo.multiply %41, %38 : tensor<4x24xf32>
      %43 = stablehlo.dot_general %42, %31#2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<4x8xf32>) -> tensor<24x8xf32>
      %44 = stablehlo.transpose %43, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
      %45 = stablehlo.dot_general %42, %31#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<8x24xf32>) -> tensor<4x8xf32>
      %46 = stablehlo.add %31#3, %45 : tensor<4x8xf32>
      mpmd.return %40, %44, %46 : tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>)
    %19:3 = mpmd.named_computation<"layer_1"(1)> (%arg2, %arg3, %0, %18#2) (%arg21: tensor<24x8xf32>, %arg22: tensor<8x24xf32>, %arg23: tensor<4x8xf32>, %arg24: tensor<4x8xf32>) {
      %31:4 = stablehlo.optimization_barrier %arg21, %arg22, %arg23, %arg24 : tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x8xf32>
      %32 = stablehlo.dot_general %31#2, %31#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %33 = stablehlo.tanh %32 : tensor<4x24xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %34 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %35 = stablehlo.add %34, %33 : tensor<4x24xf32>
      %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %36 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %37 = stablehlo.subtract %36, %33 : tensor<4x24xf32>
      %38 = stablehlo.multiply %35, %37 : tensor<4x24xf32>
      %39 = stablehlo.dot_general %31#3, %33, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x24xf32>) -> tensor<8x24xf32>
      %40 = stablehlo.transpose %39, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
      %41 = stablehlo.dot_general %31#3, %31#0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
      %42 = stablehlo.multiply %41, %38 : tensor<4x24xf32>
      %43 = stablehlo.dot_general %42, %31#2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<4x8xf32>) -> tensor<24x8xf32>
      %44 = stablehlo.transpose %43, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
      %45 = stablehlo.dot_general %42, %31#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<8x24xf32>) -> tensor<4x8xf32>
      %46 = stablehlo.add %31#3, %45 : tensor<4x8xf32>
      mpmd.return %40, %44, %46 : tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>)
    %20:2 = mpmd.named_computation<"layer_0"(1)> (%arg0, %arg1, %arg19, %19#2) (%arg21: tensor<24x8xf32>, %arg22: tensor<8x24xf32>, %arg23: tensor<4x8xf32>, %arg24: tensor<4x8xf32>) {
      %31:4 = stablehlo.optimization_barrier %arg21, %arg22, %arg23, %arg24 : tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x8xf32>
      %32 = stablehlo.dot_general %31#2, %31#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %33 = stablehlo.tanh %32 : tensor<4x24xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %34 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %35 = stablehlo.add %34, %33 : tensor<4x24xf32>
      %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %36 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %37 = stablehlo.subtract %36, %33 : tensor<4x24xf32>
      %38 = stablehlo.multiply %35, %37 : tensor<4x24xf32>
      %39 = stablehlo.dot_general %31#3, %33, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x24xf32>) -> tensor<8x24xf32>
      %40 = stablehlo.transpose %39, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
      %41 = stablehlo.dot_general %31#3, %31#0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
      %42 = stablehlo.multiply %41, %38 : tensor<4x24xf32>
      %43 = stablehlo.dot_general %42, %31#2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<4x8xf32>) -> tensor<24x8xf32>
      %44 = stablehlo.transpose %43, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
      mpmd.return %40, %44 : tensor<24x8xf32>, tensor<8x24xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<24x8xf32>, tensor<8x24xf32>)
    %21 = stablehlo.add %arg9, %11 : tensor<f32>
    %22 = stablehlo.add %arg10, %16 : tensor<16x8xf32>
    %23 = stablehlo.add %arg11, %20#0 : tensor<24x8xf32>
    %24 = stablehlo.add %arg12, %20#1 : tensor<8x24xf32>
    %25 = stablehlo.add %arg13, %19#0 : tensor<24x8xf32>
    %26 = stablehlo.add %arg14, %19#1 : tensor<8x24xf32>
    %27 = stablehlo.add %arg15, %18#0 : tensor<24x8xf32>
    %28 = stablehlo.add %arg16, %18#1 : tensor<8x24xf32>
    %29 = stablehlo.add %arg17, %17#0 : tensor<24x8xf32>
    %30 = stablehlo.add %arg18, %17#1 : tensor<8x24xf32>
    return %21, %22, %23, %24, %25, %26, %27, %28, %29, %30 : tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>
  }
}
