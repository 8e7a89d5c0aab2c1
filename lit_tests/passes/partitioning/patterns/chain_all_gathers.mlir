// RUN: sdy-opt %s --sdy-reduce-communication=enable-patterns=chain-all-gathers | filecheck %s
// RUN: sdy-opt %s '--sdy-reduce-communication=enable-patterns=chain-all-gathers kept-bytes=0' | filecheck %s --check-prefix=NOTHING

sdy.mesh @mesh = <["x"=4, "y"=2]>

// The smaller gather moves in front of the larger one, which sends the rest.
// CHECK-LABEL: func.func @part
func.func @part(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-NEXT: %[[PART:.*]] = sdy.all_gather [{"y"}, {}] %arg0 out_sharding=<@mesh, [{}, {"x"}]>
  // CHECK-NEXT: %[[ALL:.*]] = sdy.all_gather [{}, {"x"}] %[[PART]] out_sharding=<@mesh, [{}, {}]>
  // CHECK-NEXT: return %[[ALL]], %[[PART]]
  %0 = sdy.all_gather [{"y"}, {"x"}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_gather [{"y"}, {}] %arg0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// A slice of the gathered value needs no gather of a slice.
// CHECK-LABEL: func.func @slice
func.func @slice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  // CHECK-NEXT: %[[ALL:.*]] = sdy.all_gather [{}, {"x"}] %arg0 out_sharding=<@mesh, [{}, {}]>
  // CHECK-NEXT: %[[PART:.*]] = sdy.all_slice [{"y"}, {}] %[[ALL]] out_sharding=<@mesh, [{"y"}, {}]>
  // CHECK-NEXT: return %[[ALL]], %[[PART]]
  %0 = sdy.all_gather [{}, {"x"}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_slice [{"y"}, {}] %arg0 out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
  %2 = sdy.all_gather [{}, {"x"}] %1 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  return %0, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}

// An axis may be gathered in parts.
// CHECK-LABEL: func.func @parts
func.func @parts(%arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>}) -> (tensor<8x8x8xf32>, tensor<8x8x8xf32>) {
  // CHECK-NEXT: %[[PART:.*]] = sdy.all_gather [{}, {"x":(2)2}, {}] %arg0
  // CHECK-NEXT: %[[MORE:.*]] = sdy.all_gather [{}, {"x":(1)2}, {}] %[[PART]]
  // CHECK-NEXT: return %[[MORE]], %[[PART]]
  %0 = sdy.all_gather [{}, {"x"}, {}] %arg0 out_sharding=<@mesh, [{"y"}, {}, {}]> : tensor<8x8x8xf32>
  %1 = sdy.all_gather [{}, {"x":(2)2}, {}] %arg0 out_sharding=<@mesh, [{"y"}, {"x":(1)2}, {}]> : tensor<8x8x8xf32>
  return %0, %1 : tensor<8x8x8xf32>, tensor<8x8x8xf32>
}

// A large value is not kept until the end if no bytes are granted for it.
// NOTHING-LABEL: func.func @large
func.func @large(%arg0: tensor<2048x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<2048x2048xf32> {
  // NOTHING: sdy.all_gather [{"y"}, {}] %arg0
  // NOTHING: sdy.all_gather [{"y"}, {"x"}] %arg0
  %0 = sdy.all_gather [{"y"}, {}] %arg0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<2048x2048xf32>
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<2048x2048xf32>
  %2 = sdy.all_gather [{}, {"x"}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<2048x2048xf32>
  %3 = sdy.all_gather [{}, {"x"}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<2048x2048xf32>
  %4 = stablehlo.dot_general %2, %3, contracting_dims = [1] x [0] : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %5 = stablehlo.dot_general %4, %4, contracting_dims = [1] x [0] : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %6 = sdy.all_gather [{"y"}, {"x"}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<2048x2048xf32>
  %7 = stablehlo.add %5, %6 : tensor<2048x2048xf32>
  return %7 : tensor<2048x2048xf32>
}
