// RUN: sdy-opt %s --xla-sdy-open-while-free-vars-sharding | filecheck %s
// Once more changes nothing.
// RUN: sdy-opt %s --xla-sdy-open-while-free-vars-sharding --xla-sdy-open-while-free-vars-sharding | filecheck %s

sdy.mesh @mesh = <["a"=2]>
// What has a sharding is opened for the loop, once; what has none, and other uses, stay.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[ZERO:.*]] = stablehlo.constant
  %zero = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[OPEN:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{?}]>
  // CHECK-NEXT: stablehlo.while
  %0:2 = stablehlo.while(%i = %zero, %x = %arg1) : tensor<i32>, tensor<8xf32>
  cond {
    %c = stablehlo.compare LT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    // CHECK: stablehlo.add %{{.*}}, %[[OPEN]]
    %1 = stablehlo.add %x, %arg0 : tensor<8xf32>
    // CHECK-NEXT: stablehlo.multiply %{{.*}}, %[[OPEN]]
    %2 = stablehlo.multiply %1, %arg0 : tensor<8xf32>
    // CHECK-NEXT: stablehlo.add %{{.*}}, %arg1
    %3 = stablehlo.add %2, %arg1 : tensor<8xf32>
    stablehlo.return %i, %3 : tensor<i32>, tensor<8xf32>
  }
  // CHECK: stablehlo.sine %arg0
  %4 = stablehlo.sine %arg0 : tensor<8xf32>
  return %0#1, %4 : tensor<8xf32>, tensor<8xf32>
}
