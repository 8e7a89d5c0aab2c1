// RUN: sdy-opt %s --sdy-convert-global-to-local='enable-rgv3=false' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Ops that need a dimension as a whole get it so: a decomposition.
// Unlike the reference, which makes an op that does not verify.
// CHECK-LABEL: func.func @cholesky
func.func @cholesky(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.cholesky %[[V0]], lower = true {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<4x4xf32>
  // CHECK: %[[V5:.*]] = stablehlo.dynamic_slice %[[V1]], %[[V4:.*]], %[[C_0:.*]], sizes = [2, 4] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  // CHECK-NEXT: return %[[V5]] : tensor<2x4xf32>
  %0 = stablehlo.cholesky %arg0, lower = true {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// The greatest elements.
// Unlike the reference, which takes those of every part.
// CHECK-LABEL: func.func @topk
func.func @topk(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[V1:.*]]:2 = stablehlo.custom_call @mhlo.topk(%[[V0]]) {mhlo.attributes = {k = 2 : i64, largest = true}, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>]>} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  // CHECK-NEXT: return %[[V1]]#0, %[[V1]]#1 : tensor<4x2xf32>, tensor<4x2xi32>
  %0:2 = stablehlo.custom_call @mhlo.topk(%arg0) {mhlo.attributes = {k = 2 : i64, largest = true}, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>]>} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %0#0, %0#1 : tensor<4x2xf32>, tensor<4x2xi32>
}

// The operands of a call that returns a token.
// Unlike the reference, which passes parts.
// CHECK-LABEL: func.func @token
func.func @token(%arg0: !stablehlo.token, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> !stablehlo.token {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.custom_call @f(%arg0, %[[V0]]) {has_side_effect = true} : (!stablehlo.token, tensor<8xf32>) -> !stablehlo.token
  // CHECK-NEXT: return %[[V1]] : !stablehlo.token
  %0 = stablehlo.custom_call @f(%arg0, %arg1) {has_side_effect = true} : (!stablehlo.token, tensor<8xf32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// A sum over a sharded dimension that is written as einsum.
// Unlike the reference, which adds up a part.
// CHECK-LABEL: func.func @einsum
func.func @einsum(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.einsum %[[V0]], %[[V1]], config = "ij,jk->ik" : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: return %[[V2]] : tensor<4x4xf32>
  %0 = "stablehlo.einsum"(%arg0, %arg1) <{einsum_config = "ij,jk->ik"}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// The updates of a scatter whose body no all_reduce knows.
// Unlike the reference, which refuses.
// CHECK-LABEL: func.func @scatter
func.func @scatter(%arg0: tensor<8xf32>, %arg1: tensor<4x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg2: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x1xi32>) -> tensor<4x1xi32>
  // CHECK-NEXT: %[[V1:.*]] = "stablehlo.all_gather"(%arg2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
  // CHECK-NEXT: %[[V2:.*]] = "stablehlo.scatter"(%arg0, %[[V0]], %[[V1]]) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  // CHECK: stablehlo.return %[[V3:.*]] : tensor<f32>
  // CHECK: return %[[V2]] : tensor<8xf32>
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.subtract %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The elements of a tuple.
// Unlike the reference, which refuses.
// CHECK-LABEL: func.func @tuple
func.func @tuple(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 8, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.tuple %[[V0]] : tuple<tensor<8xf32>>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.get_tuple_element %[[V1]][0] : (tuple<tensor<8xf32>>) -> tensor<8xf32>
  // CHECK: %[[V6:.*]] = stablehlo.dynamic_slice %[[V2]], %[[V5:.*]], sizes = [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[V6]] : tensor<4xf32>
  %0 = stablehlo.tuple %arg0 : tuple<tensor<8xf32>>
  %1 = stablehlo.get_tuple_element %0[0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tuple<tensor<8xf32>>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A result whose size is given by a value: here the whole is made and sliced.
// Unlike the reference, which refuses.
// CHECK-LABEL: func.func @dynamic_broadcast
func.func @dynamic_broadcast(%arg0: tensor<4xf32>) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK: %[[V0:.*]] = stablehlo.dynamic_broadcast_in_dim %arg0, %[[C:.*]], dims = [1] : (tensor<4xf32>, tensor<2xi64>) -> tensor<8x4xf32>
  // CHECK: %[[V4:.*]] = stablehlo.dynamic_slice %[[V0]], %[[V3:.*]], %[[C_1:.*]], sizes = [4, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
  // CHECK-NEXT: return %[[V4]] : tensor<4x4xf32>
  %0 = stablehlo.constant dense<[8, 4]> : tensor<2xi64>
  %1 = stablehlo.dynamic_broadcast_in_dim %arg0, %0, dims = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// A call whose decomposition is written for the whole.
// Unlike the reference, which refuses.
// CHECK-LABEL: func.func @composite
func.func @composite(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 9, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.composite "my.op" %[[V0]] {decomposition = @decomposition} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: %[[V5:.*]] = stablehlo.dynamic_slice %[[V1]], %[[V4:.*]], sizes = [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[V5]] : tensor<4xf32>
  %0 = stablehlo.composite "my.op" %arg0 {decomposition = @decomposition, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @decomposition(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// Windows that reach into the next part.
// Unlike the reference, which aborts.
// CHECK-LABEL: func.func @window
func.func @window(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 10, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = "stablehlo.reduce_window"(%[[V0]], %arg1) <{padding = dense<1> : tensor<1x2xi64>, window_dimensions = array<i64: 3>}> ({
  // CHECK: stablehlo.return %[[V6:.*]] : tensor<f32>
  // CHECK: %[[V5:.*]] = stablehlo.dynamic_slice %[[V1]], %[[V4:.*]], sizes = [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[V5]] : tensor<4xf32>
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 3>, padding = dense<1> : tensor<1x2xi64>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// What is transformed.
// Unlike the reference, which transforms parts.
// CHECK-LABEL: func.func @fft
func.func @fft(%arg0: tensor<8xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 11, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.fft %[[V0]], type = FFT, length = [8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  // CHECK: %[[V5:.*]] = stablehlo.dynamic_slice %[[V1]], %[[V4:.*]], sizes = [4] : (tensor<8xcomplex<f32>>, tensor<i32>) -> tensor<4xcomplex<f32>>
  // CHECK-NEXT: return %[[V5]] : tensor<4xcomplex<f32>>
  %0 = stablehlo.fft %arg0, type = FFT, length = [8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return %0 : tensor<8xcomplex<f32>>
}

// What is reversed.
// Unlike the reference, which reverses every part where it is.
// CHECK-LABEL: func.func @reverse
func.func @reverse(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 12, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.reverse %[[V0]], dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  // CHECK: %[[V5:.*]] = stablehlo.dynamic_slice %[[V1]], %[[V4:.*]], sizes = [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[V5]] : tensor<4xf32>
  %0 = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// What a function returns without a sharding.
// Unlike the reference, which refuses.
// CHECK-LABEL: func.func @returned
func.func @returned(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 13, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}

// By its rule, as JAX writes it, the result has dimensions of its own: the call makes all of it.
// Unlike the reference, which expects a part of it.
// CHECK-LABEL: func.func @dimensions_of_its_own
func.func @dimensions_of_its_own(%arg0: tensor<4x4xf32>) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[WHOLE:.*]] = stablehlo.custom_call @decompose(%arg0) {{.*}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: %[[PART:.*]] = stablehlo.dynamic_slice %[[WHOLE]], {{.*}}, sizes = [2, 4]
  // CHECK-NEXT: return %[[PART]] : tensor<2x4xf32>
  %0 = stablehlo.custom_call @decompose(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l]) {i=4, j=4, k=4, l=4}, custom>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// What one device has is whole, however it is made.
// CHECK-LABEL: func.func @reverse_on_one_device
func.func @reverse_on_one_device(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  // CHECK-NEXT: %[[WHOLE:.*]] = "stablehlo.all_gather"(%arg0)
  // CHECK-NEXT: stablehlo.reverse %[[WHOLE]], dims = [0] {{.*}} : tensor<4x4xf32>
  %0 = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<mesh<[], device_ids=[3]>, []>]>} : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
