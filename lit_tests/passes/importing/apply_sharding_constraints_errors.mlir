// RUN: sdy-opt %s --sdy-apply-sharding-constraints --split-input-file --verify-diagnostics

sdy.mesh @mesh = <["a"=2]>
sdy.mesh @device = <[], device_ids=[1]>

// In shardings are on one mesh, so that the argument cannot be on a single device. With edges the constraint would move.
func.func @single_device(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", ?}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg1: tensor<4xf32>) {
    // expected-error @+1 {{puts the argument of a manual computation on a single device}}
    %1 = sdy.sharding_constraint %arg1 <@device, []> : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2]>

// A dynamic tensor has no sharding rule.
func.func @dynamic(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{has a sharding rule that does not fit operand 0: the value has no static shape}}
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<?xf32>
  return %0 : tensor<?xf32>
}
