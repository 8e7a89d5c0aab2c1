// {"meshes": [["m0", [["data", 2]]], ["m1", [["data", 2]]], ["m2", [["data", 2]]], ["m3", [["data", 2]]]], "assign": {"layer_0": "m0/0", "layer_1": "m1/1", "layer_2": "m2/2", "layer_3": "m3/3", "embed": "m0/0"}, "donate": [0, 1, 2, 3, 4, 5, 6, 7, 8], "options": {}, "ways": [["GPipe", false, false], ["ZeroBubbleH2ZeroTxLatency", true, false], ["CircularWithReversedBackward", false, false]]}
module @jit_step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<24x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<8x24xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<24x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg4: tensor<8x24xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg5: tensor<24x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg6: tensor<8x24xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg7: tensor<24x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg8: tensor<8x24xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg9: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg10: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg11: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg12: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg13: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg14: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<16x8xf32> {jax.result_info = "result[1]['embed']"}, tensor<24x8xf32> {jax.result_info = "result[1]['layers'][0]['down']"}, tensor<8x24xf32> {jax.result_info = "result[1]['layers'][0]['up']"}, tensor<24x8xf32> {jax.result_info = "result[1]['layers'][1]['down']"}, tensor<8x24xf32> {jax.result_info = "result[1]['layers'][1]['up']"}, tensor<24x8xf32> {jax.result_info = "result[1]['layers'][2]['down']"}, tensor<8x24xf32> {jax.result_info = "result[1]['layers'][2]['up']"}, tensor<24x8xf32> {jax.result_info = "result[1]['layers'][3]['down']"}, tensor<8x24xf32> {jax.result_info = "result[1]['layers'][3]['up']"}) {
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
    %9 = stablehlo.broadcast_in_dim %arg9, dims = [1] : (tensor<4xi32>) -> tensor<1x4xi32>
    %10 = stablehlo.broadcast_in_dim %arg10, dims = [1] : (tensor<4xi32>) -> tensor<1x4xi32>
    %11 = stablehlo.broadcast_in_dim %arg11, dims = [1] : (tensor<4xi32>) -> tensor<1x4xi32>
    %12 = stablehlo.concatenate %9, %10, %11, dim = 0 : (tensor<1x4xi32>, tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<3x4xi32>
    %13 = stablehlo.broadcast_in_dim %arg12, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %14 = stablehlo.broadcast_in_dim %arg13, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %15 = stablehlo.broadcast_in_dim %arg14, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %16 = stablehlo.concatenate %13, %14, %15, dim = 0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<3x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17:10 = mpmd.call @"<lambda>"(%12, %16, %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %c, %cst_8, %0, %1, %2, %3, %4, %5, %6, %7, %8) {call_counter = 0 : ui32} : (tensor<3x4xi32>, tensor<3x4x8xf32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<ui32>, tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %c_9 = stablehlo.constant dense<1> : tensor<ui32>
    %18:10 = mpmd.call @"<lambda>"(%12, %16, %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %c_9, %17#0, %17#1, %17#2, %17#3, %17#4, %17#5, %17#6, %17#7, %17#8, %17#9) {call_counter = 1 : ui32} : (tensor<3x4xi32>, tensor<3x4x8xf32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<ui32>, tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %c_10 = stablehlo.constant dense<2> : tensor<ui32>
    %19:10 = mpmd.call @"<lambda>"(%12, %16, %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %c_10, %18#0, %18#1, %18#2, %18#3, %18#4, %18#5, %18#6, %18#7, %18#8, %18#9) {call_counter = 2 : ui32} : (tensor<3x4xi32>, tensor<3x4x8xf32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<ui32>, tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>)
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %21 = stablehlo.multiply %20, %19#1 : tensor<16x8xf32>
    %22 = stablehlo.subtract %arg0, %21 : tensor<16x8xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %24 = stablehlo.multiply %23, %19#2 : tensor<24x8xf32>
    %25 = stablehlo.subtract %arg1, %24 : tensor<24x8xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %27 = stablehlo.multiply %26, %19#3 : tensor<8x24xf32>
    %28 = stablehlo.subtract %arg2, %27 : tensor<8x24xf32>
    %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %30 = stablehlo.multiply %29, %19#4 : tensor<24x8xf32>
    %31 = stablehlo.subtract %arg3, %30 : tensor<24x8xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %33 = stablehlo.multiply %32, %19#5 : tensor<8x24xf32>
    %34 = stablehlo.subtract %arg4, %33 : tensor<8x24xf32>
    %cst_16 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %36 = stablehlo.multiply %35, %19#6 : tensor<24x8xf32>
    %37 = stablehlo.subtract %arg5, %36 : tensor<24x8xf32>
    %cst_17 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %39 = stablehlo.multiply %38, %19#7 : tensor<8x24xf32>
    %40 = stablehlo.subtract %arg6, %39 : tensor<8x24xf32>
    %cst_18 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %42 = stablehlo.multiply %41, %19#8 : tensor<24x8xf32>
    %43 = stablehlo.subtract %arg7, %42 : tensor<24x8xf32>
    %cst_19 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %45 = stablehlo.multiply %44, %19#9 : tensor<8x24xf32>
    %46 = stablehlo.subtract %arg8, %45 : tensor<8x24xf32>
    return %19#0, %22, %25, %28, %31, %34, %37, %40, %43, %46 : tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>
  }
  func.func private @"<lambda>"(%arg0: tensor<3x4xi32>, %arg1: tensor<3x4x8xf32>, %arg2: tensor<16x8xf32>, %arg3: tensor<24x8xf32>, %arg4: tensor<8x24xf32>, %arg5: tensor<24x8xf32>, %arg6: tensor<8x24xf32>, %arg7: tensor<24x8xf32>, %arg8: tensor<8x24xf32>, %arg9: tensor<24x8xf32>, %arg10: tensor<8x24xf32>, %arg11: tensor<ui32>, %arg12: tensor<f32>, %arg13: tensor<16x8xf32>, %arg14: tensor<24x8xf32>, %arg15: tensor<8x24xf32>, %arg16: tensor<24x8xf32>, %arg17: tensor<8x24xf32>, %arg18: tensor<24x8xf32>, %arg19: tensor<8x24xf32>, %arg20: tensor<24x8xf32>, %arg21: tensor<8x24xf32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>) {
    %0 = stablehlo.convert %arg11 : (tensor<ui32>) -> tensor<i32>
    %1 = call @dynamic_index_in_dim(%arg0, %0) : (tensor<3x4xi32>, tensor<i32>) -> tensor<4xi32>
    %2 = stablehlo.convert %arg11 : (tensor<ui32>) -> tensor<i32>
    %3 = call @dynamic_index_in_dim_0(%arg1, %2) : (tensor<3x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
    %4:2 = mpmd.named_computation<"embed"> (%arg2, %1) (%arg22: tensor<16x8xf32>, %arg23: tensor<4xi32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %33 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %34 = stablehlo.compare LT, %arg23, %33, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %c_4 = stablehlo.constant dense<16> : tensor<i32>
      %35 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %36 = stablehlo.add %arg23, %35 : tensor<4xi32>
      %37 = stablehlo.select %34, %36, %arg23 : tensor<4xi1>, tensor<4xi32>
      %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
      %39 = "stablehlo.gather"(%arg22, %38) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
      mpmd.return %39, %38 : tensor<4x8xf32>, tensor<4x1xi32>
    } : (tensor<16x8xf32>, tensor<4xi32>) -> (tensor<4x8xf32>, tensor<4x1xi32>)
    %5:3 = mpmd.named_computation<"layer_0"> (%arg3, %arg4, %4#0) (%arg22: tensor<24x8xf32>, %arg23: tensor<8x24xf32>, %arg24: tensor<4x8xf32>) {
      %33 = stablehlo.dot_general %arg24, %arg23, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %34 = stablehlo.tanh %33 : tensor<4x24xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %35 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %36 = stablehlo.add %35, %34 : tensor<4x24xf32>
      %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %37 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %38 = stablehlo.subtract %37, %34 : tensor<4x24xf32>
      %39 = stablehlo.multiply %36, %38 : tensor<4x24xf32>
      %40 = stablehlo.dot_general %34, %arg22, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
      %41 = stablehlo.add %arg24, %40 : tensor<4x8xf32>
      mpmd.return %41, %39, %34 : tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>)
    %6:3 = mpmd.named_computation<"layer_1"> (%arg5, %arg6, %5#0) (%arg22: tensor<24x8xf32>, %arg23: tensor<8x24xf32>, %arg24: tensor<4x8xf32>) {
      %33 = stablehlo.dot_general %arg24, %arg23, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %34 = stablehlo.tanh %33 : tensor<4x24xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %35 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %36 = stablehlo.add %35, %34 : tensor<4x24xf32>
      %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %37 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %38 = stablehlo.subtract %37, %34 : tensor<4x24xf32>
      %39 = stablehlo.multiply %36, %38 : tensor<4x24xf32>
      %40 = stablehlo.dot_general %34, %arg22, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
      %41 = stablehlo.add %arg24, %40 : tensor<4x8xf32>
      mpmd.return %41, %39, %34 : tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>)
    %7:3 = mpmd.named_computation<"layer_2"> (%arg7, %arg8, %6#0) (%arg22: tensor<24x8xf32>, %arg23: tensor<8x24xf32>, %arg24: tensor<4x8xf32>) {
      %33 = stablehlo.dot_general %arg24, %arg23, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %34 = stablehlo.tanh %33 : tensor<4x24xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %35 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %36 = stablehlo.add %35, %34 : tensor<4x24xf32>
      %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %37 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %38 = stablehlo.subtract %37, %34 : tensor<4x24xf32>
      %39 = stablehlo.multiply %36, %38 : tensor<4x24xf32>
      %40 = stablehlo.dot_general %34, %arg22, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
      %41 = stablehlo.add %arg24, %40 : tensor<4x8xf32>
      mpmd.return %41, %39, %34 : tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>)
    %8:3 = mpmd.named_computation<"layer_3"> (%arg9, %arg10, %7#0) (%arg22: tensor<24x8xf32>, %arg23: tensor<8x24xf32>, %arg24: tensor<4x8xf32>) {
      %33 = stablehlo.dot_general %arg24, %arg23, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
      %34 = stablehlo.tanh %33 : tensor<4x24xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %35 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %36 = stablehlo.add %35, %34 : tensor<4x24xf32>
      %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %37 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
      %38 = stablehlo.subtract %37, %34 : tensor<4x24xf32>
      %39 = stablehlo.multiply %36, %38 : tensor<4x24xf32>
      %40 = stablehlo.dot_general %34, %arg22, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
      %41 = stablehlo.add %arg24, %40 : tensor<4x8xf32>
      mpmd.return %41, %39, %34 : tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>
    } : (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x24xf32>)
    %9 = stablehlo.subtract %8#0, %3 : tensor<4x8xf32>
    %10 = stablehlo.multiply %9, %9 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %12 = stablehlo.multiply %11, %9 : tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%10 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %14 = stablehlo.divide %13, %cst_1 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %15 = stablehlo.divide %cst_2, %cst_3 : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %17 = stablehlo.multiply %16, %12 : tensor<4x8xf32>
    %18:3 = mpmd.named_computation<"layer_3"(1)> (%arg10, %7#0, %8#1, %arg9, %8#2, %17) (%arg22: tensor<8x24xf32>, %arg23: tensor<4x8xf32>, %arg24: tensor<4x24xf32>, %arg25: tensor<24x8xf32>, %arg26: tensor<4x24xf32>, %arg27: tensor<4x8xf32>) {
      %33 = stablehlo.dot_general %arg27, %arg26, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x24xf32>) -> tensor<8x24xf32>
      %34 = stablehlo.transpose %33, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
      %35 = stablehlo.dot_general %arg27, %arg25, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
      %36 = stablehlo.multiply %35, %arg24 : tensor<4x24xf32>
      %37 = stablehlo.dot_general %36, %arg23, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<4x8xf32>) -> tensor<24x8xf32>
      %38 = stablehlo.transpose %37, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
      %39 = stablehlo.dot_general %36, %arg22, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<8x24xf32>) -> tensor<4x8xf32>
      %40 = stablehlo.add %arg27, %39 : tensor<4x8xf32>
      mpmd.return %34, %38, %40 : tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>
    } : (tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x24xf32>, tensor<24x8xf32>, tensor<4x24xf32>, tensor<4x8xf32>) -> (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>)
    %19:3 = mpmd.named_computation<"layer_2"(1)> (%arg8, %6#0, %7#1, %arg7, %7#2, %18#2) (%arg22: tensor<8x24xf32>, %arg23: tensor<4x8xf32>, %arg24: tensor<4x24xf32>, %arg25: tensor<24x8xf32>, %arg26: tensor<4x24xf32>, %arg27: tensor<4x8xf32>) {
      %33 = stablehlo.dot_general %arg27, %arg26, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x24xf32>) -> tensor<8x24xf32>
      %34 = stablehlo.transpose %33, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
      %35 = stablehlo.dot_general %arg27, %arg25, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
      %36 = stablehlo.multiply %35, %arg24 : tensor<4x24xf32>
      %37 = stablehlo.dot_general %36, %arg23, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<4x8xf32>) -> tensor<24x8xf32>
      %38 = stablehlo.transpose %37, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
      %39 = stablehlo.dot_general %36, %arg22, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<8x24xf32>) -> tensor<4x8xf32>
      %40 = stablehlo.add %arg27, %39 : tensor<4x8xf32>
      mpmd.return %34, %38, %40 : tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>
    } : (tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x24xf32>, tensor<24x8xf32>, tensor<4x24xf32>, tensor<4x8xf32>) -> (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>)
    %20:3 = mpmd.named_computation<"layer_1"(1)> (%arg6, %5#0, %6#1, %arg5, %6#2, %19#2) (%arg22: tensor<8x24xf32>, %arg23: tensor<4x8xf32>, %arg24: tensor<4x24xf32>, %arg25: tensor<24x8xf32>, %arg26: tensor<4x24xf32>, %arg27: tensor<4x8xf32>) {
      %33 = stablehlo.dot_general %arg27, %arg26, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x24xf32>) -> tensor<8x24xf32>
      %34 = stablehlo.transpose %33, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
      %35 = stablehlo.dot_general %arg27, %arg25, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
      %36 = stablehlo.multiply %35, %arg24 : tensor<4x24xf32>
      %37 = stablehlo.dot_general %36, %arg23, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<4x8xf32>) -> tensor<24x8xf32>
      %38 = stablehlo.transpose %37, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
      %39 = stablehlo.dot_general %36, %arg22, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<8x24xf32>) -> tensor<4x8xf32>
      %40 = stablehlo.add %arg27, %39 : tensor<4x8xf32>
      mpmd.return %34, %38, %40 : tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>
    } : (tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x24xf32>, tensor<24x8xf32>, tensor<4x24xf32>, tensor<4x8xf32>) -> (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>)
    %21:3 = mpmd.named_computation<"layer_0"(1)> (%arg4, %4#0, %5#1, %arg3, %5#2, %20#2) (%arg22: tensor<8x24xf32>, %arg23: tensor<4x8xf32>, %arg24: tensor<4x24xf32>, %arg25: tensor<24x8xf32>, %arg26: tensor<4x24xf32>, %arg27: tensor<4x8xf32>) {
      %33 = stablehlo.dot_general %arg27, %arg26, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x24xf32>) -> tensor<8x24xf32>
      %34 = stablehlo.transpose %33, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
      %35 = stablehlo.dot_general %arg27, %arg25, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
      %36 = stablehlo.multiply %35, %arg24 : tensor<4x24xf32>
      %37 = stablehlo.dot_general %36, %arg23, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<4x8xf32>) -> tensor<24x8xf32>
      %38 = stablehlo.transpose %37, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
      %39 = stablehlo.dot_general %36, %arg22, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x24xf32>, tensor<8x24xf32>) -> tensor<4x8xf32>
      %40 = stablehlo.add %arg27, %39 : tensor<4x8xf32>
      mpmd.return %34, %38, %40 : tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>
    } : (tensor<8x24xf32>, tensor<4x8xf32>, tensor<4x24xf32>, tensor<24x8xf32>, tensor<4x24xf32>, tensor<4x8xf32>) -> (tensor<24x8xf32>, tensor<8x24xf32>, tensor<4x8xf32>)
    %22 = mpmd.named_computation<"embed"(1)> (%4#1, %21#2) (%arg22: tensor<4x1xi32>, %arg23: tensor<4x8xf32>) {
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %33 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
      %34 = "stablehlo.scatter"(%33, %arg22, %arg23) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
        %35 = stablehlo.add %arg24, %arg25 : tensor<f32>
        stablehlo.return %35 : tensor<f32>
      }) : (tensor<16x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<16x8xf32>
      mpmd.return %34 : tensor<16x8xf32>
    } : (tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<16x8xf32>
    %23 = stablehlo.add %arg12, %14 : tensor<f32>
    %24 = stablehlo.add %arg13, %22 : tensor<16x8xf32>
    %25 = stablehlo.add %arg14, %21#0 : tensor<24x8xf32>
    %26 = stablehlo.add %arg15, %21#1 : tensor<8x24xf32>
    %27 = stablehlo.add %arg16, %20#0 : tensor<24x8xf32>
    %28 = stablehlo.add %arg17, %20#1 : tensor<8x24xf32>
    %29 = stablehlo.add %arg18, %19#0 : tensor<24x8xf32>
    %30 = stablehlo.add %arg19, %19#1 : tensor<8x24xf32>
    %31 = stablehlo.add %arg20, %18#0 : tensor<24x8xf32>
    %32 = stablehlo.add %arg21, %18#1 : tensor<8x24xf32>
    return %23, %24, %25, %26, %27, %28, %29, %30, %31, %32 : tensor<f32>, tensor<16x8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24x8xf32>, tensor<8x24xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x4xi32>, %arg1: tensor<i32>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_slice %arg0, %2, %c_1, sizes = [1, 4] : (tensor<3x4xi32>, tensor<i32>, tensor<i32>) -> tensor<1x4xi32>
    %4 = stablehlo.reshape %3 : (tensor<1x4xi32>) -> tensor<4xi32>
    return %4 : tensor<4xi32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<3x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_slice %arg0, %2, %c_1, %c_2, sizes = [1, 4, 8] : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %4 : tensor<4x8xf32>
  }
}
