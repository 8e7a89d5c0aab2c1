// RUN: sdy-opt %s --sdy-resolve-permutation-factors='exact-halos=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Every device has had all of the operand before its part: nothing is sent, each takes its part of the slice.
// CHECK-LABEL: func.func @slice
func.func @slice(%arg0: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.reshard %arg0 <@mesh, [{}]>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[WHOLE]] [1:9]
  // CHECK-NEXT: %[[PART:.*]] = sdy.reshard %[[SLICE]] <@mesh, [{"x"}]>
  // CHECK-NEXT: return %[[PART]]
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<10xf32>
  %1 = stablehlo.slice %0 [1:9] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<10xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// So it is with a part that can be had by a gather alone, of which the slice of it is taken.
// CHECK-LABEL: func.func @slice_of_gathered
func.func @slice_of_gathered(%arg0: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.reshard %arg0 <@mesh, [{}]>
  // CHECK-NEXT: stablehlo.slice %[[WHOLE]] [1:9]
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<10xf32>
  %1 = stablehlo.slice %0 [1:9] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<10xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// What is summed up before is not there as a whole: devices may sum up only their parts.
// CHECK-LABEL: func.func @slice_of_sum
func.func @slice_of_sum(%arg0: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> tensor<8xf32> {
  // CHECK:      %[[PART:.*]] = sdy.reshard %{{.*}} <@mesh, [{"x"}]>
  // CHECK:      "stablehlo.collective_permute"
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}]> : tensor<10xf32>
  %1 = sdy.reshard %0 <@mesh, [{"x"}]> : tensor<10xf32>
  %2 = stablehlo.slice %1 [1:9] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<10xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Windows are computed in parts, each of which is taken out of the whole with what is beside it.
// CHECK-LABEL: func.func @pooling
func.func @pooling(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<f32>) -> tensor<16xf32> {
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.reshard %arg0 <@mesh, [{}]>
  // CHECK:      sdy.manual_computation(%[[WHOLE]], {{.*}} in_shardings=[<@mesh, [{}]>, {{.*}} out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%[[ALL:.*]]: tensor<16xf32>, {{.*}}) {
  // CHECK:        %[[EDGED:.*]] = stablehlo.pad %[[ALL]], %{{.*}}, low = [1], high = [1], interior = [0]
  // CHECK:        %[[SIX:.*]] = stablehlo.dynamic_slice %[[EDGED]], %{{.*}}, sizes = [6]
  // CHECK-NEXT:   "stablehlo.reduce_window"(%[[SIX]], {{.*}}
  // CHECK:        (tensor<6xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK-NOT:  collective
  // CHECK:      return
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<16xf32>
  %1 = "stablehlo.reduce_window"(%0, %arg1) <{padding = dense<1> : tensor<1x2xi64>, window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// The same for the gradient of pooling, of whose windows each device looks at those that reach into its part.
// CHECK-LABEL: func.func @gradient_of_pooling
func.func @gradient_of_pooling(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<14xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg2: tensor<f32>) -> tensor<16xf32> {
  // CHECK:      sdy.manual_computation({{.*}}manual_axes={"x"} (%[[ALL:.*]]: tensor<16xf32>, %[[SOURCE:.*]]: tensor<14xf32>, {{.*}}) {
  // CHECK-NOT:  collective
  // CHECK:        "stablehlo.select_and_scatter"
  // CHECK:        (tensor<8xf32>, tensor<6xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NOT:  collective
  // CHECK:      return
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<16xf32>
  %1 = "stablehlo.select_and_scatter"(%0, %arg1, %arg2) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<14xf32>, tensor<f32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// What stands before its part a device adds up by itself, as long as that takes less time than to be told.
// CHECK-LABEL: func.func @cumulative_sum
func.func @cumulative_sum(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<16xf32> {
  // CHECK:      sdy.manual_computation({{.*}}manual_axes={"x"} (%[[PART:.*]]: tensor<4xf32>, %[[ALL:.*]]: tensor<16xf32>, %[[ZERO:.*]]: tensor<f32>) {
  // CHECK:        %[[BEFORE:.*]] = stablehlo.compare LT
  // CHECK-NEXT:   %[[ZEROS:.*]] = stablehlo.broadcast_in_dim %[[ZERO]]
  // CHECK-NEXT:   %[[MASKED:.*]] = stablehlo.select %[[BEFORE]], %[[ALL]], %[[ZEROS]] : tensor<16xi1>, tensor<16xf32>
  // CHECK-NEXT:   stablehlo.reduce(%[[MASKED]] init: %[[ZERO]]) applies stablehlo.add across dimensions = [0]
  // CHECK-NOT:  collective
  // CHECK:      return
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<16xf32>
  %1 = "stablehlo.reduce_window"(%0, %c) <{padding = dense<[[15, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 16>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// Of long parts it takes longer.
// CHECK-LABEL: func.func @long_cumulative_sum
func.func @long_cumulative_sum(%arg0: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<256xf32> {
  // CHECK:      sdy.manual_computation({{.*}}manual_axes={"x"} (%{{.*}}: tensor<64xf32>, %{{.*}}: tensor<f32>) {
  // CHECK:        "stablehlo.all_gather"
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<256xf32>
  %1 = "stablehlo.reduce_window"(%0, %c) <{padding = dense<[[255, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 256>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<256xf32>, tensor<f32>) -> tensor<256xf32>
  return %1 : tensor<256xf32>
}

// A pad that is gathered later, and whose parts somebody takes, too: elements are exchanged.
// CHECK-LABEL: func.func @pad_for_both
func.func @pad_for_both(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> (tensor<5xf32>, tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK:     "stablehlo.collective_permute"
  // CHECK-NOT: sdy.reshard %arg0
  %0 = stablehlo.pad %arg0, %arg1, low = [0], high = [1], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  %1 = sdy.reshard %0 <@mesh, [{}]> : tensor<5xf32>
  return %1, %0 : tensor<5xf32>, tensor<5xf32>
}

// A slice is not added up where another op needs the resharded operand, too.
// CHECK-LABEL: func.func @resharded_for_others
func.func @resharded_for_others(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<1x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK-NEXT: %[[RESHARD:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]>
  // CHECK-NEXT: stablehlo.slice %[[RESHARD]]
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  %1 = stablehlo.slice %0 [3:4, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<16x8xf32>) -> tensor<1x8xf32>
  %2 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  %3 = stablehlo.negate %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<16x8xf32>
  return %1, %3 : tensor<1x8xf32>, tensor<16x8xf32>
}
