// RUN: sdy-opt %s --sdy-user-priority-propagate | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

func.func @main() {
  return
}

// "b" goes first. "a" and "c" wait for their turns; then "a" finds its place on the sum taken.
// CHECK-LABEL: func.func @three_rounds
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"c", ?}]>}
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}, {"c"}]>}
func.func @three_rounds(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p1, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}, {"c"}p2]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}}[{"b", ?}, {"c", ?}]
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A dimension that waits stays empty and closed, so it gets back what it had, and no more, when its turn comes.
// CHECK-LABEL: func.func @keeps_what_it_had
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b", ?}]>}
func.func @keeps_what_it_had(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}p1, {?}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"b"}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Priorities of results of functions count too, of any function.
// CHECK-LABEL: func.func @function_result
// CHECK-SAME:    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b", ?}]>})
func.func @function_result(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}p1, {"b", ?}p0]>}) {
  return %arg0 : tensor<8x8xf32>
}

// Parts of one axis with different priorities wait side by side.
// CHECK-LABEL: func.func @several_priorities_in_one_sharding
// CHECK-SAME:    %arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c", ?}, {"b", ?}, {"a", ?}]>}
func.func @several_priorities_in_one_sharding(%arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c", ?}p2, {"b", ?}p1, {"a", ?}]>}) -> tensor<8x8x8xf32> {
  // CHECK-NEXT: stablehlo.tanh {{.*}}[{"c", ?}, {"b", ?}, {"a", ?}]
  %0 = stablehlo.tanh %arg0 : tensor<8x8x8xf32>
  return %0 : tensor<8x8x8xf32>
}

// Priorities in the lists of data-flow ops count where there are no edges.
// CHECK-LABEL: func.func @list_of_a_loop
// CHECK: attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {"b", ?}]>]>}
// CHECK: stablehlo.tanh {{.*}}[{"a", ?}, {"b", ?}]
func.func @list_of_a_loop(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.while(%x = %arg0) : tensor<8x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}p1, {?}]>]>}
  cond {
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %t = stablehlo.tanh %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"b", ?}]>]>} : tensor<8x8xf32>
    stablehlo.return %t : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}

// An axis that waits for its turn is kept from the whole tensor meanwhile.
// CHECK-LABEL: func.func @waiting_axes
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}
func.func @waiting_axes(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p1, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}}[{?}, {"a", ?}]
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
