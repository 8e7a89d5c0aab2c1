// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=approximate-top-k | filecheck %s

func.func private @greater(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @fallback
func.func @fallback(%arg0: tensor<8x64xf32>, %arg1: tensor<8x64xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>) -> (tensor<8x4xf32>, tensor<8x4xi32>) {
  // CHECK-NEXT: %[[SORTED:.*]]:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 1 : i64, is_stable = true}> ({
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>):
  // CHECK-NEXT:   %[[IS:.*]] = stablehlo.compare GT, %[[A]], %[[B]]
  // CHECK-NEXT:   stablehlo.return %[[IS]]
  // CHECK-NEXT: }) : (tensor<8x64xf32>, tensor<8x64xi32>) -> (tensor<8x64xf32>, tensor<8x64xi32>)
  // CHECK-NEXT: %[[VALUES:.*]] = stablehlo.slice %[[SORTED]]#0 [0:8, 0:4]
  // CHECK-NEXT: %[[PLACES:.*]] = stablehlo.slice %[[SORTED]]#1 [0:8, 0:4]
  // CHECK-NEXT: return %[[VALUES]], %[[PLACES]]
  %0:2 = stablehlo.custom_call @ApproxTopK(%arg0, %arg1, %arg2, %arg3) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 4 : i64}} : (tensor<8x64xf32>, tensor<8x64xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x4xf32>, tensor<8x4xi32>)
  return %0#0, %0#1 : tensor<8x4xf32>, tensor<8x4xi32>
}

// TPUs have such a search.
// CHECK-LABEL: func.func @search
func.func @search(%arg0: tensor<8x64xf32>, %arg1: tensor<8x64xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>) -> (tensor<8x4xf32>, tensor<8x4xi32>) {
  // CHECK-NEXT: stablehlo.custom_call @ApproxTopK
  %0:2 = stablehlo.custom_call @ApproxTopK(%arg0, %arg1, %arg2, %arg3) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 4 : i64}} : (tensor<8x64xf32>, tensor<8x64xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x4xf32>, tensor<8x4xi32>)
  return %0#0, %0#1 : tensor<8x4xf32>, tensor<8x4xi32>
}

// What says something else than JAX does is a call like any other.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<8x64xf32>, %arg1: tensor<8x64xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK-COUNT-3: stablehlo.custom_call @ApproxTopK
  %0:2 = stablehlo.custom_call @ApproxTopK(%arg0, %arg1, %arg2, %arg3) {called_computations = [@greater], mhlo.backend_config = {is_fallback = true, reduction_dim = 7 : i64}} : (tensor<8x64xf32>, tensor<8x64xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x4xf32>, tensor<8x4xi32>)
  %1:2 = stablehlo.custom_call @ApproxTopK(%arg0, %arg1, %arg2, %arg3) {called_computations = [@greater], mhlo.backend_config = {is_fallback = 1 : i64, reduction_dim = 1 : i64}} : (tensor<8x64xf32>, tensor<8x64xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x4xf32>, tensor<8x4xi32>)
  %2:2 = stablehlo.custom_call @ApproxTopK(%arg0, %arg1, %arg2, %arg3) {called_computations = [@greater], mhlo.backend_config = "a text"} : (tensor<8x64xf32>, tensor<8x64xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x4xf32>, tensor<8x4xi32>)
  return %0#0, %1#0, %2#0 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}
