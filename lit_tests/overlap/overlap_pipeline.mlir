// RUN: sdy-opt %s --sdy-overlap-pipeline | filecheck %s
// RUN: sdy-opt %s --sdy-overlap-pipeline='decompose=false' | filecheck %s --check-prefix=PLACED
// RUN: sdy-opt %s --sdy-overlap-pipeline='asynchronous=false' | filecheck %s --check-prefix=SYNC
// RUN: sdy-opt %s --sdy-overlap-pipeline='machine={flops=1e15 bandwidth=1e9}' | filecheck %s --check-prefix=PLACED
// RUN: not sdy-opt %s --sdy-overlap-pipeline='mode=list' 2>&1 | filecheck %s --check-prefix=LIST
// RUN: not sdy-opt %s --sdy-overlap-pipeline='machine=nothing' 2>&1 | filecheck %s --check-prefix=NOTHING
// RUN: not sdy-opt %s --sdy-overlap-pipeline='in-flight-bytes=-1' 2>&1 | filecheck %s --check-prefix=BYTES

// LIST: option 'mode=list' needs a 'machine'
// NOTHING: nothing
// BYTES: option 'in-flight-bytes' is at least 0, not -1

// Cut into steps; or, where the machine is none the faster for that, gathered as a whole while the product beside it is
// computed.
// CHECK-LABEL:  func.func @gather
// PLACED-LABEL: func.func @gather
// SYNC-LABEL:   func.func @gather
func.func @gather(%a: tensor<2x8xf32>, %b: tensor<8x8xf32>) -> tensor<4x8xf32> {
  // CHECK:       "stablehlo.async_start"(%arg0)
  // CHECK:       stablehlo.collective_permute
  // CHECK:       stablehlo.dot_general
  // CHECK:       stablehlo.async_done
  // PLACED:      "stablehlo.async_start"(%arg0)
  // PLACED:      stablehlo.all_gather
  // PLACED:      stablehlo.dot_general %arg1, %arg1
  // PLACED-NEXT: stablehlo.async_done
  // PLACED-NEXT: stablehlo.dot_general
  // SYNC-NOT:    async_start
  // SYNC:        stablehlo.collective_permute
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
