// {"meshes": [["m0", [["data", 2]]], ["m1", [["data", 2]]]], "assign": {"layer_0": "m0/0", "layer_1": "m0/0", "layer_2": "m1/1", "layer_3": "m1/1"}, "donate": [0, 1, 2, 3, 4, 5, 6, 7], "options": {}, "ways": [["GPipeBut1F1BForLastMesh", false, false], ["ZeroBubbleH2FullTxLatency", true, false], ["1F1B", false, true], ["ZeroBubbleH1", true, true]]}
module @jit_step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<24x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<8x24xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<24x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<8x24xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg4: tensor<24x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg5: tensor<8x24xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg6: tensor<24x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg7: tensor<8x24xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg8: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg9: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg10: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg11: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg12: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg13: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg14: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg15: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg16: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg17: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg18: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg19: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<24x8xf32> {jax.result_info = "result[1]['layers'][0]['down']"}, tensor<8x24xf32> {jax.result_info = "result[1]['layers'][0]['up']"}, tensor<24x8xf32> {jax.result_info = "result[1]['layers'][1]['down']"}, tensor<8x24xf32> {jax.result_info = "result[1]['layers'][1]['up']"}, tensor<24x8xf32> {jax.result_info = "result[1]['layers'][2]['down']"}, tensor<8x24xf32> {jax.result_info = "result[1]['layers'][2]['up']"}, tensor<24x8xf32> {jax.result_info = "result[1]['layers'][3]['down']"}, tensor<8x24xf32> {jax.result_info = "result[1]['layers'][3]['up']"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8:9 = mpmd.call @"<lambda>"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %cst_7, %0, %1, %2, %3, %4, %5, %6, %7, %arg8, %arg14) {call_counter = 0 : ui32} : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %9:9 = mpmd.call @"<lambda>"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %8#0, %8#1, %8#2, %8#3, %8#4, %8#5, %8#6, %8#7, %8#8, %arg9, %arg15) {call_counter = 1 : ui32} : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %10:9 = mpmd.call @"<lambda>"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %9#0, %9#1, %9#2, %9#3, %9#4, %9#5, %9#6, %9#7, %9#8, %arg10, %arg16) {call_counter = 2 : ui32} : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %11:9 = mpmd.call @"<lambda>"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %10#0, %10#1, %10#2, %10#3, %10#4, %10#5, %10#6, %10#7, %10#8, %arg11, %arg17) {call_counter = 3 : ui32} : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %12:9 = mpmd.call @"<lambda>"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %11#0, %11#1, %11#2, %11#3, %11#4, %11#5, %11#6, %11#7, %11#8, %arg12, %arg18) {call_counter = 4 : ui32} : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %13:9 = mpmd.call @"<lambda>"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %12#0, %12#1, %12#2, %12#3, %12#4, %12#5, %12#6, %12#7, %12#8, %arg13, %arg19) {call_counter = 5 : ui32} : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %15 = stablehlo.multiply %14, %13#1 : tensor<24x8xf32>
    %16 = stablehlo.subtract %arg0, %15 : tensor<24x8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %18 = stablehlo.multiply %17, %13#2 : tensor<8x24xf32>
    %19 = stablehlo.subtract %arg1, %18 : tensor<8x24xf32>
    %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %21 = stablehlo.multiply %20, %13#3 : tensor<24x8xf32>
    %22 = stablehlo.subtract %arg2, %21 : tensor<24x8xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %24 = stablehlo.multiply %23, %13#4 : tensor<8x24xf32>
    %25 = stablehlo.subtract %arg3, %24 : tensor<8x24xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %27 = stablehlo.multiply %26, %13#5 : tensor<24x8xf32>
    %28 = stablehlo.subtract %arg4, %27 : tensor<24x8xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %30 = stablehlo.multiply %29, %13#6 : tensor<8x24xf32>
    %31 = stablehlo.subtract %arg5, %30 : tensor<8x24xf32>
    %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %33 = stablehlo.multiply %32, %13#7 : tensor<24x8xf32>
    %34 = stablehlo.subtract %arg6, %33 : tensor<24x8xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %36 = stablehlo.multiply %35, %13#8 : tensor<8x24xf32>
    %37 = stablehlo.subtract %arg7, %36 : tensor<8x24xf32>
    return %13#0, %16, %19, %22, %25, %28, %31, %34, %37 : tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>
  }
  func.func private @"<lambda>"(%arg0: tensor<24x8xf32>, %arg1: tensor<8x24xf32>, %arg2: tensor<24x8xf32>, %arg3: tensor<8x24xf32>, %arg4: tensor<24x8xf32>, %arg5: tensor<8x24xf32>, %arg6: tensor<24x8xf32>, %arg7: tensor<8x24xf32>, %arg8: tensor<f32>, %arg9: tensor<24x8xf32>, %arg10: tensor<8x24xf32>, %arg11: tensor<24x8xf32>, %arg12: tensor<8x24xf32>, %arg13: tensor<24x8xf32>, %arg14: tensor<8x24xf32>, %arg15: tensor<24x8xf32>, %arg16: tensor<8x24xf32>, %arg17: tensor<4x8xf32>, %arg18: tensor<4x8xf32>) -> (tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>) {
    %0 = mpmd.named_computation<"layer_0"> (%arg0, %arg1, %arg17) (%arg19: tensor<24x8xf32>, %arg20: tensor<8x24xf32>, %arg21: tensor<4x8xf32>) {
      %27 = stablehlo.dot_general %arg21, %arg20, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %28 = stablehlo.tanh %27 : tensor<4x24xf32>
      %29 = stablehlo.dot_general %28, %arg19, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
      %30 = stablehlo.add %arg21, %29 : tensor<4x8xf32>
      mpmd.return %30 : tensor<4x8xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %1:3 = mpmd.named_computation<"layer_1"> (%arg2, %arg3, %0) (%arg19: tensor<24x8xf32>, %arg20: tensor<8x24xf32>, %arg21: tensor<4x8xf32>) {
      %27 = stablehlo.dot_general %arg21, %arg20, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %28 = stablehlo.tanh %27 : tensor<4x24xf32>
      %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %30 = stablehlo.add %29, %28 : tensor<4x24xf32>
      %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %31 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %32 = stablehlo.subtract %31, %28 : tensor<4x24xf32>
      %33 = stablehlo.multiply %30, %32 : tensor<4x24xf32>
      %34 = stablehlo.dot_general %28, %arg19, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
      %35 = stablehlo.add %arg21, %34 : tensor<4x8xf32>
      mpmd.return %35, %33, %28 : tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>)
    %2:3 = mpmd.named_computation<"layer_2"> (%arg4, %arg5, %1#0) (%arg19: tensor<24x8xf32>, %arg20: tensor<8x24xf32>, %arg21: tensor<4x8xf32>) {
      %27 = stablehlo.dot_general %arg21, %arg20, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %28 = stablehlo.tanh %27 : tensor<4x24xf32>
      %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %30 = stablehlo.add %29, %28 : tensor<4x24xf32>
      %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %31 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %32 = stablehlo.subtract %31, %28 : tensor<4x24xf32>
      %33 = stablehlo.multiply %30, %32 : tensor<4x24xf32>
      %34 = stablehlo.dot_general %28, %arg19, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
      %35 = stablehlo.add %arg21, %34 : tensor<4x8xf32>
      mpmd.return %35, %33, %28 : tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>)
    %3:3 = mpmd.named_computation<"layer_3"> (%arg6, %arg7, %2#0) (%arg19: tensor<24x8xf32>, %arg20: tensor<8x24xf32>, %arg21: tensor<4x8xf32>) {
      %27 = stablehlo.dot_general %arg21, %arg20, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %28 = stablehlo.tanh %27 : tensor<4x24xf32>
      %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %30 = stablehlo.add %29, %28 : tensor<4x24xf32>
      %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %31 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %32 = stablehlo.subtract %31, %28 : tensor<4x24xf32>
      %33 = stablehlo.multiply %30, %32 : tensor<4x24xf32>
      %34 = stablehlo.dot_general %28, %arg19, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
      %35 = stablehlo.add %arg21, %34 : tensor<4x8xf32>
      mpmd.return %35, %33, %28 : tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>)
    %4 = stablehlo.subtract %3#0, %arg18 : tensor<4x8xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %7 = stablehlo.multiply %6, %4 : tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %9 = stablehlo.divide %8, %cst_1 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %10 = stablehlo.divide %cst_2, %cst_3 : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %12 = stablehlo.multiply %11, %7 : tensor<4x8xf32>
    %13:3 = mpmd.named_computation<"layer_3"(1)> (%arg7, %2#0, %3#1, %arg6, %3#2, %12) (%arg19: tensor<8x24xf32>, %arg20: tensor<4x8xf32>, %arg21: tensor<4x24xf32>, %arg22: tensor<24x8xf32>, %arg23: tensor<4x24xf32>, %arg24: tensor<4x8xf32>) {
      %27 = stablehlo.dot_general %arg24, %arg23, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x24xf32>) -> tensor<8x24xf32>
      %28 = stablehlo.transpose %27, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
      %29 = stablehlo.dot_general %arg24, %arg22, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
      %30 = stablehlo.multiply %29, %arg21 : tensor<4x24xf32>
      %31 = stablehlo.dot_general %30, %arg20, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<4x8xf32>) -> tensor<24x8xf32>
      %32 = stablehlo.transpose %31, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
      %33 = stablehlo.dot_general %30, %arg19, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<8x24xf32>) -> tensor<4x8xf32>
      %34 = stablehlo.add %arg24, %33 : tensor<4x8xf32>
      mpmd.return %28, %32, %34 : tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>
    } : (tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x24xf32>, tensor<24x8xf32>, tensor<4x24xf32>, tensor<4x8xf32>) -> (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>)
    %14:3 = mpmd.named_computation<"layer_2"(1)> (%arg5, %1#0, %2#1, %arg4, %2#2, %13#2) (%arg19: tensor<8x24xf32>, %arg20: tensor<4x8xf32>, %arg21: tensor<4x24xf32>, %arg22: tensor<24x8xf32>, %arg23: tensor<4x24xf32>, %arg24: tensor<4x8xf32>) {
      %27 = stablehlo.dot_general %arg24, %arg23, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x24xf32>) -> tensor<8x24xf32>
      %28 = stablehlo.transpose %27, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
      %29 = stablehlo.dot_general %arg24, %arg22, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
      %30 = stablehlo.multiply %29, %arg21 : tensor<4x24xf32>
      %31 = stablehlo.dot_general %30, %arg20, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<4x8xf32>) -> tensor<24x8xf32>
      %32 = stablehlo.transpose %31, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
      %33 = stablehlo.dot_general %30, %arg19, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<8x24xf32>) -> tensor<4x8xf32>
      %34 = stablehlo.add %arg24, %33 : tensor<4x8xf32>
      mpmd.return %28, %32, %34 : tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>
    } : (tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x24xf32>, tensor<24x8xf32>, tensor<4x24xf32>, tensor<4x8xf32>) -> (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>)
    %15:2 = mpmd.named_computation<"layer_1"(1)> (%0, %1#1, %arg2, %1#2, %14#2) (%arg19: tensor<4x8xf32>, %arg20: tensor<4x24xf32>, %arg21: tensor<24x8xf32>, %arg22: tensor<4x24xf32>, %arg23: tensor<4x8xf32>) {
      %27 = stablehlo.dot_general %arg23, %arg22, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x24xf32>) -> tensor<8x24xf32>
      %28 = stablehlo.transpose %27, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
      %29 = stablehlo.dot_general %arg23, %arg21, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
      %30 = stablehlo.multiply %29, %arg20 : tensor<4x24xf32>
      %31 = stablehlo.dot_general %30, %arg19, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<4x8xf32>) -> tensor<24x8xf32>
      %32 = stablehlo.transpose %31, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
      mpmd.return %28, %32 : tensor<24x8xf32>, tensor<8x24xf32>
    } : (tensor<4x8xf32>, tensor<4x24xf32>, tensor<24x8xf32>, tensor<4x24xf32>, tensor<4x8xf32>) -> (tensor<24x8xf32>, tensor<8x24xf32>)
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %18 = stablehlo.add %arg8, %9 : tensor<f32>
    %19 = stablehlo.add %arg9, %16 : tensor<24x8xf32>
    %20 = stablehlo.add %arg10, %17 : tensor<8x24xf32>
    %21 = stablehlo.add %arg11, %15#0 : tensor<24x8xf32>
    %22 = stablehlo.add %arg12, %15#1 : tensor<8x24xf32>
    %23 = stablehlo.add %arg13, %14#0 : tensor<24x8xf32>
    %24 = stablehlo.add %arg14, %14#1 : tensor<8x24xf32>
    %25 = stablehlo.add %arg15, %13#0 : tensor<24x8xf32>
    %26 = stablehlo.add %arg16, %13#1 : tensor<8x24xf32>
    return %18, %19, %20, %21, %22, %23, %24, %25, %26 : tensor<f32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>
  }
}
