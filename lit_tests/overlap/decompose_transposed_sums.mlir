// RUN: sdy-opt %s --sdy-partition-pipeline='overlap=true machine=generic' | filecheck %s
// RUN: sdy-opt %s --sdy-partition-pipeline | filecheck %s --check-prefix=WHOLE

sdy.mesh @mesh = <["data"=8]>

// A gradient whose transpose is wanted: the product is cut into steps, as the sum stands right behind it. Without that
// the transpose is taken before the sum.
// CHECK-LABEL: func.func @main
// CHECK: collective_permute
// WHOLE-LABEL: func.func @main
// WHOLE: stablehlo.dot_general
// WHOLE-NEXT: stablehlo.transpose
// WHOLE-NEXT: stablehlo.all_reduce
func.func @main(%x: tensor<32768x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %y: tensor<32768x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<4096x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0]
      : (tensor<32768x4096xf32>, tensor<32768x4096xf32>) -> tensor<4096x4096xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}
