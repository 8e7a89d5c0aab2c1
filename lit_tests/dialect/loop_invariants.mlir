// RUN: sdy-opt %s --allow-unregistered-dialect --loop-invariant-code-motion | filecheck %s

// Which ops may be executed where they would not have been: upstream takes these out of loops.

sdy.mesh @mesh = <["a"=2]>

// CHECK-LABEL: func.func @loop
func.func @loop(%n: index, %x: tensor<8xf32>, %i: tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK:      sdy.reshard
  // CHECK-NEXT: sdy.constant
  // CHECK-NEXT: sdy.propagation_barrier
  // CHECK-NEXT: sdy.named_computation<"any_numbers">
  // CHECK:      scf.for
  scf.for %k = %c0 to %n step %c1 {
    %0 = sdy.reshard %x <@mesh, [{"a"}]> : tensor<8xf32>
    %1 = sdy.constant dense<1.0> : tensor<8xf32>
    %2 = sdy.propagation_barrier %x allowed_direction=NONE : tensor<8xf32>
    // CHECK-NEXT: sdy.sharding_constraint
    %3 = sdy.sharding_constraint %x <@mesh, [{"a"}]> : tensor<8xf32>
    %4 = sdy.named_computation<"any_numbers">(%x) (%arg1: tensor<8xf32>) {
      %7 = arith.addf %arg1, %arg1 : tensor<8xf32>
      sdy.return %7 : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    // A division by zero must not happen where there was none.
    // CHECK-NEXT: sdy.named_computation<"no_zeros">
    %5 = sdy.named_computation<"no_zeros">(%i) (%arg1: tensor<8xi32>) {
      %7 = arith.divsi %arg1, %arg1 : tensor<8xi32>
      sdy.return %7 : tensor<8xi32>
    } : (tensor<8xi32>) -> tensor<8xi32>
    // CHECK: sdy.manual_computation
    %6 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg1: tensor<4xf32>) {
      %7 = arith.addf %arg1, %arg1 : tensor<4xf32>
      sdy.return %7 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    "test.use"(%0, %1, %2, %3, %4, %5, %6) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf32>) -> ()
  }
  return
}
