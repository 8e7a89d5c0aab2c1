// RUN: not sdy-opt %s --sdy-auto-partition 2>&1 | filecheck %s

sdy.mesh @mesh = <["x"=2]>
sdy.mesh @device = <[], device_ids=[1]>

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: auto_partition_one_device.mlir:[[# @LINE + 1]]:8: error: 'stablehlo.negate' op is on a single device, which automatic partitioning does not support
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
