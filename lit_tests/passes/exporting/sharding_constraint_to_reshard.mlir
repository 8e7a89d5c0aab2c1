// RUN: sdy-opt %s --sdy-sharding-constraint-to-reshard | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// The sharding and other attributes are taken over as they are, in nested regions too.
// CHECK-LABEL: func.func @main(
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x", ?}p1], replicated={"y"}> {note = "kept"} : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.named_computation<"f">(%[[V0]]) (%arg1: tensor<8xf32>) {
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %arg1 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: sdy.return %[[V2]] : tensor<8xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[V1]] : tensor<8xf32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x", ?}p1], replicated={"y"}> {note = "kept"} : tensor<8xf32>
  %1 = sdy.named_computation<"f">(%0) (%arg1: tensor<8xf32>) {
    %2 = sdy.sharding_constraint %arg1 <@mesh, [{}]> : tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
