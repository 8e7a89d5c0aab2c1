// RUN: sdy-opt %s --allow-unregistered-dialect --split-input-file --sdy-propagation-pipeline | filecheck %s
// RUN: sdy-opt %s --allow-unregistered-dialect --split-input-file --sdy-apply-sharding-constraints=debug-sharding-origins=true | filecheck %s --check-prefix=ORIGINS
// RUN: sdy-opt %s --allow-unregistered-dialect --split-input-file --sdy-insert-explicit-reshards=enable-full-version=true | filecheck %s --check-prefix=RESHARDS

sdy.mesh @m = <["a"=2]>

// What nobody knows and ends a function returns its operands.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>})
// ORIGINS-LABEL: func.func @main
// ORIGINS-SAME:    -> (tensor<8xf32> {sdy.sharding_origins = {a = "input: 0"}})
// RESHARDS-LABEL: func.func @main
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: "my.end"(%arg0) : (tensor<8xf32>) -> ()
  // RESHARDS-NEXT: %[[R:.*]] = sdy.reshard %arg0 <@m, [{}]>
  // RESHARDS-NEXT: "my.end"(%[[R]])
  "my.end"(%x) : (tensor<8xf32>) -> ()
}

// -----

sdy.mesh @m = <["a"=2]>

// It may return nothing.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>})
// ORIGINS-LABEL: func.func @main
// ORIGINS-NOT:     origins
// RESHARDS-LABEL: func.func @main
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) {
  // CHECK-NEXT: "my.end"() : () -> ()
  // RESHARDS-NEXT: "my.end"()
  "my.end"() : () -> ()
}

// -----

sdy.mesh @m = <["a"=2]>

// It may return more than the function has results; the reference reads beyond them.
// CHECK-LABEL: func.func @main
// ORIGINS-LABEL: func.func @main
// RESHARDS-LABEL: func.func @main
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) {
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}]>]>}
  // CHECK-NEXT: "my.end"(%[[N]], %[[N]])
  %0 = stablehlo.negate %x : tensor<8xf32>
  "my.end"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> ()
}
