// RUN: sdy-opt %s --sdy-decompose-collective-dots='machine={flops=1e9 bandwidth=1e7 latency=0 directions=1}' | filecheck %s --check-prefix=ALONE
// RUN: sdy-opt %s --sdy-decompose-collective-dots='machine={flops=1e9 bandwidth=1e7 latency=0 directions=1} placed=keep' | filecheck %s --check-prefix=KEEP
// RUN: sdy-opt %s --sdy-overlap-pipeline='machine={flops=1e9 bandwidth=1e7 latency=0 directions=1}' | filecheck %s --check-prefix=KEEP
// RUN: not sdy-opt %s --sdy-decompose-collective-dots='placed=list' 2>&1 | filecheck %s --check-prefix=ERROR

// ERROR: option 'placed' needs a 'machine'

// Looked at alone, gathering and multiplying are faster in steps. But the gather can be sent while the product before it
// is computed: nobody waits for it once it is placed.
// ALONE-LABEL: func.func @main
// ALONE:       collective_permute
// KEEP-LABEL:  func.func @main
// KEEP-NOT:    collective_permute
func.func @main(%a: tensor<50x100xf32>, %b: tensor<100x400xf32>, %c: tensor<400x100xf32>) -> tensor<100x100xf32> {
  %0 = stablehlo.dot_general %b, %c, contracting_dims = [1] x [0] : (tensor<100x400xf32>, tensor<400x100xf32>) -> tensor<100x100xf32>
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
  %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0] : (tensor<100x100xf32>, tensor<100x400xf32>) -> tensor<100x400xf32>
  %3 = stablehlo.dot_general %2, %c, contracting_dims = [1] x [0] : (tensor<100x400xf32>, tensor<400x100xf32>) -> tensor<100x100xf32>
  %4 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<50x100xf32>) -> tensor<100x100xf32>
  %5 = stablehlo.dot_general %4, %3, contracting_dims = [1] x [0] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
  %6 = stablehlo.dot_general %5, %b, contracting_dims = [1] x [0] : (tensor<100x100xf32>, tensor<100x400xf32>) -> tensor<100x400xf32>
  %7 = stablehlo.dot_general %6, %c, contracting_dims = [1] x [0] : (tensor<100x400xf32>, tensor<400x100xf32>) -> tensor<100x100xf32>
  return %7 : tensor<100x100xf32>
}
