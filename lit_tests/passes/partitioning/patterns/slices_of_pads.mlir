// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=slices-of-pads | filecheck %s
// RUN: sdy-opt %s --sdy-partition-pipeline | filecheck %s --check-prefix=LOCAL

sdy.mesh @mesh = <["x"=4]>

// A sequence that is shifted twice: nothing is padded that is cut off again, and one row crosses each border for each.
// CHECK-LABEL: func.func @main
// CHECK-SAME:  (%[[A:.*]]: tensor<16xf32> {{.*}}, %[[V:.*]]: tensor<f32>)
// LOCAL-LABEL: func.func @main
func.func @main(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  // CHECK-NEXT: %[[ONE:.*]] = stablehlo.pad %[[A]], %[[V]], low = [1], high = [-1], interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  // CHECK-NEXT: %[[BACK:.*]] = stablehlo.pad %[[A]], %[[V]], low = [-1], high = [1], interior = [0]
  // CHECK-NEXT: return %[[ONE]], %[[A]], %[[BACK]]
  // LOCAL-COUNT-2: "stablehlo.collective_permute"({{.*}}) {{.*}} : (tensor<1xf32>) -> tensor<1xf32>
  // LOCAL-NOT: stablehlo.collective_permute
  %0 = stablehlo.pad %arg0, %arg1, low = [2], high = [1], interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<19xf32>
  %1 = stablehlo.slice %0 [1:17] : (tensor<19xf32>) -> tensor<16xf32>
  %2 = stablehlo.slice %0 [2:18] : (tensor<19xf32>) -> tensor<16xf32>
  %3 = stablehlo.slice %0 [3:19] : (tensor<19xf32>) -> tensor<16xf32>
  return %1, %2, %3 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// The gradient of shifts: the sum of padded tensors, cut by padding it by less than nothing. Numbers that are repeated
// are repeated less often.
// CHECK-LABEL: func.func @sum
func.func @sum(%arg0: tensor<8x4xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<f32>) -> tensor<8x4xf32> {
  // CHECK:      %[[P:.*]] = stablehlo.pad %arg0, %{{.*}}, low = [-2, 0], high = [2, 0], interior = [0, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[P]] : tensor<8x4xf32>
  // CHECK-NEXT: %[[S:.*]] = stablehlo.add %[[N]], %arg1 : tensor<8x4xf32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
  // CHECK-NEXT: %[[M:.*]] = stablehlo.multiply %[[S]], %[[B]] : tensor<8x4xf32>
  // CHECK-NEXT: return %[[M]]
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %arg0, %zero, low = [0, 0], high = [2, 0], interior = [0, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<10x4xf32>
  %1 = stablehlo.negate %0 : tensor<10x4xf32>
  %2 = stablehlo.pad %arg1, %zero, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<10x4xf32>
  %3 = stablehlo.add %1, %2 : tensor<10x4xf32>
  %4 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<10x4xf32>
  %5 = stablehlo.multiply %3, %4 : tensor<10x4xf32>
  %6 = stablehlo.pad %5, %zero, low = [-2, 0], high = [0, 0], interior = [0, 0] : (tensor<10x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  return %6 : tensor<8x4xf32>
}

// Left alone: what is read as a whole, too; what is of another size than before; steps; a sharding that somebody wants.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<8xf32>, %arg1: tensor<f32>) -> (tensor<9xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  // CHECK-NEXT: stablehlo.pad
  // CHECK-NEXT: stablehlo.slice %{{.*}} [0:8]
  // CHECK-NEXT: stablehlo.pad
  // CHECK-NEXT: stablehlo.slice %{{.*}} [0:4]
  // CHECK-NEXT: stablehlo.pad
  // CHECK-NEXT: stablehlo.slice %{{.*}} [1:9:2]
  // CHECK-NEXT: stablehlo.pad
  // CHECK-NEXT: stablehlo.slice %{{.*}} [0:8]
  // CHECK-NEXT: return
  %0 = stablehlo.pad %arg0, %arg1, low = [1], high = [0], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>
  %1 = stablehlo.slice %0 [0:8] : (tensor<9xf32>) -> tensor<8xf32>
  %2 = stablehlo.pad %arg0, %arg1, low = [1], high = [0], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>
  %3 = stablehlo.slice %2 [0:4] : (tensor<9xf32>) -> tensor<4xf32>
  %4 = stablehlo.pad %arg0, %arg1, low = [1], high = [0], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>
  %5 = stablehlo.slice %4 [1:9:2] : (tensor<9xf32>) -> tensor<4xf32>
  %6 = stablehlo.pad %arg0, %arg1, low = [1], high = [0], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>
  %7 = stablehlo.slice %6 [0:8] : (tensor<9xf32>) -> tensor<8xf32>
  return %0, %1, %3, %5, %7 : tensor<9xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}
