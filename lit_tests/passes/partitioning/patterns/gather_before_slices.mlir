// RUN: sdy-opt %s "-sdy-place-reshards=enable-patterns=gather-before-slices kept-bytes=0" | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Two rows would take a row of each device, each of them; all rows are no more.
// CHECK-LABEL: func.func @rows
func.func @rows(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<8x4xf32>
  // CHECK-NEXT: %[[A:.*]] = stablehlo.slice %[[WHOLE]] [0:1, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>}
  // CHECK-NEXT: %[[B:.*]] = stablehlo.slice %[[WHOLE]] [5:6, 0:4]
  // CHECK-NEXT: %[[C:.*]] = stablehlo.slice %[[WHOLE]] [7:8, 0:4]
  // CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
  %0 = stablehlo.slice %arg0 [0:1, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {"y"}]> : tensor<1x4xf32>
  %2 = stablehlo.slice %arg0 [5:6, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %3 = sdy.reshard %2 <@mesh, [{}, {"y"}]> : tensor<1x4xf32>
  %4 = stablehlo.slice %arg0 [7:8, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %5 = sdy.reshard %4 <@mesh, [{}, {"y"}]> : tensor<1x4xf32>
  return %1, %3, %5 : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
}

// A slice of a slice is a slice of the tensor; what else uses a slice keeps it.
// CHECK-LABEL: func.func @slices_of_slices
func.func @slices_of_slices(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<7xf32>) {
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[A:.*]] = stablehlo.slice %[[WHOLE]] [0:1]
  // CHECK-NEXT: %[[REST:.*]] = stablehlo.slice %arg0 [1:8]
  // CHECK-NEXT: %[[B:.*]] = stablehlo.slice %[[WHOLE]] [4:6]
  // CHECK-NEXT: %[[C:.*]] = stablehlo.slice %[[WHOLE]] [7:8]
  // CHECK-NEXT: return %[[A]], %[[B]], %[[C]], %[[REST]]
  %0 = stablehlo.slice %arg0 [0:1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<1xf32>
  %1 = sdy.reshard %0 <@mesh, [{}]> : tensor<1xf32>
  %2 = stablehlo.slice %arg0 [1:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<7xf32>
  %3 = stablehlo.slice %2 [3:5] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<7xf32>) -> tensor<2xf32>
  %4 = sdy.reshard %3 <@mesh, [{}]> : tensor<2xf32>
  %5 = stablehlo.slice %2 [6:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<7xf32>) -> tensor<1xf32>
  %6 = sdy.reshard %5 <@mesh, [{}]> : tensor<1xf32>
  return %1, %4, %6, %2 : tensor<1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<7xf32>
}

// Of the long tensor, more would be sent than for two rows; of what these are slices of, less.
// CHECK-LABEL: func.func @shorter_tensor
func.func @shorter_tensor(%arg0: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<1xf32>, tensor<1xf32>) {
  // CHECK-NEXT: %[[PART:.*]] = stablehlo.slice %arg0 [8:12]
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.reshard %[[PART]] <@mesh, [{}]> : tensor<4xf32>
  // CHECK-NEXT: stablehlo.slice %[[WHOLE]] [0:1]
  // CHECK-NEXT: stablehlo.slice %[[WHOLE]] [3:4]
  %0 = stablehlo.slice %arg0 [8:12] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<64xf32>) -> tensor<4xf32>
  %1 = stablehlo.slice %0 [0:1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<4xf32>) -> tensor<1xf32>
  %2 = sdy.reshard %1 <@mesh, [{}]> : tensor<1xf32>
  %3 = stablehlo.slice %0 [3:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<4xf32>) -> tensor<1xf32>
  %4 = sdy.reshard %3 <@mesh, [{}]> : tensor<1xf32>
  return %2, %4 : tensor<1xf32>, tensor<1xf32>
}

// Few rows of many, rows in steps, and a change to another sharding stay.
// CHECK-LABEL: func.func @not_worth_it
func.func @not_worth_it(%arg0: tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<32x4xf32>, tensor<32x4xf32>, tensor<48x4xf32>, tensor<48x4xf32>) {
  // CHECK-NOT: sdy.reshard %arg0
  %0 = stablehlo.slice %arg0 [0:1, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<64x4xf32>) -> tensor<1x4xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {}]> : tensor<1x4xf32>
  %2 = stablehlo.slice %arg0 [5:6, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<64x4xf32>) -> tensor<1x4xf32>
  %3 = sdy.reshard %2 <@mesh, [{}, {}]> : tensor<1x4xf32>
  %4 = stablehlo.slice %arg0 [0:64:2, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<64x4xf32>) -> tensor<32x4xf32>
  %5 = sdy.reshard %4 <@mesh, [{}, {}]> : tensor<32x4xf32>
  %6 = stablehlo.slice %arg0 [1:64:2, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<64x4xf32>) -> tensor<32x4xf32>
  %7 = sdy.reshard %6 <@mesh, [{}, {}]> : tensor<32x4xf32>
  %8 = stablehlo.slice %arg0 [0:48, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<64x4xf32>) -> tensor<48x4xf32>
  %9 = sdy.reshard %8 <@mesh, [{}, {"x"}]> : tensor<48x4xf32>
  %10 = stablehlo.slice %arg0 [16:64, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<64x4xf32>) -> tensor<48x4xf32>
  %11 = sdy.reshard %10 <@mesh, [{}, {"x"}]> : tensor<48x4xf32>
  return %1, %3, %5, %7, %9, %11 : tensor<1x4xf32>, tensor<1x4xf32>, tensor<32x4xf32>, tensor<32x4xf32>, tensor<48x4xf32>, tensor<48x4xf32>
}

// More than a mebibyte has to fit into the budget.
// CHECK-LABEL: func.func @large
func.func @large(%arg0: tensor<8x65536xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<1x65536xf32>, tensor<1x65536xf32>, tensor<1x65536xf32>) {
  // CHECK-NOT: sdy.reshard %arg0
  %0 = stablehlo.slice %arg0 [0:1, 0:65536] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x65536xf32>) -> tensor<1x65536xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {}]> : tensor<1x65536xf32>
  %2 = stablehlo.slice %arg0 [5:6, 0:65536] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x65536xf32>) -> tensor<1x65536xf32>
  %3 = sdy.reshard %2 <@mesh, [{}, {}]> : tensor<1x65536xf32>
  %4 = stablehlo.slice %arg0 [7:8, 0:65536] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x65536xf32>) -> tensor<1x65536xf32>
  %5 = sdy.reshard %4 <@mesh, [{}, {}]> : tensor<1x65536xf32>
  return %1, %3, %5 : tensor<1x65536xf32>, tensor<1x65536xf32>, tensor<1x65536xf32>
}

// The tensor is gathered in any case, behind one of its slices: that is then one of what has been gathered.
// CHECK-LABEL: func.func @gathered_itself
func.func @gathered_itself(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<1xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[A:.*]] = stablehlo.slice %[[WHOLE]] [1:2]
  // CHECK-NEXT: return %[[A]], %[[WHOLE]]
  %0 = stablehlo.slice %arg0 [1:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<1xf32>
  %1 = sdy.reshard %0 <@mesh, [{}]> : tensor<1xf32>
  %2 = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  return %1, %2 : tensor<1xf32>, tensor<8xf32>
}
