// RUN: sdy-opt %s --sdy-remove-size-one-axes --split-input-file | filecheck %s

sdy.mesh @mesh = <["one"=1, "a"=2, "b"=4, "uno"=1]>
sdy.mesh @plain = <["a"=2]>

// Dimensions, replicated and unreduced axes lose axes of size 1; sub-axes stay.
// CHECK-LABEL: func.func @axes(
// CHECK-SAME:  %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}], replicated={"b":(1)2}>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated={"b"}, unreduced={"a"}>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>})
func.func @axes(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"one", "a"}, {"uno", ?}], replicated={"b":(1)2}>},
                %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated={"one", "b"}, unreduced={"a", "uno"}>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"uno"}, {"b", "one"}]>}) {
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {?}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: return %[[ADD]] : tensor<8x8xf32>
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"one"}, {?}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A dimension that ends up closed and empty loses its priority, an open one keeps it.
// CHECK-LABEL: func.func @priorities(
// CHECK-SAME:  %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {?}p2]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}p1, {}]>})
func.func @priorities(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"one"}p1, {"uno", ?}p2]>},
                      %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"one", "a"}p1, {}]>}) {
  // CHECK-NEXT: return
  return
}

// A reduction other than sum goes with the last unreduced axis.
// CHECK-LABEL: func.func @reduction(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"a"}>})
func.func @reduction(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"one"}>},
                     %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"one", "a"}>}) {
  // CHECK-NEXT: return
  return
}

// Inlined meshes are resolved like named ones; a sharding without such axes stays.
// CHECK-LABEL: func.func @inlined(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=1, "y"=2]>, [{"y"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@plain, [{"a"}]>})
func.func @inlined(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=1, "y"=2]>, [{"x", "y"}]>},
                   %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@plain, [{"a"}]>}) {
  // CHECK-NEXT: return
  return
}

// Manual axes are no part of shardings.
// CHECK-LABEL: func.func @manual_axes(
func.func @manual_axes(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"one", "a"} (%arg1: tensor<4xf32>) {
  // CHECK-NEXT:   %[[CONSTRAINT:.*]] = sdy.sharding_constraint %arg1 <@mesh, [{"b"}]> : tensor<4xf32>
  // CHECK-NEXT:   sdy.return %[[CONSTRAINT]] : tensor<4xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[COMPUTATION]] : tensor<8xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"one", "a"}]>] out_shardings=[<@mesh, [{"a"}], replicated={"one"}>] manual_axes={"one", "a"} (%arg1: tensor<4xf32>) {
    %1 = sdy.sharding_constraint %arg1 <@mesh, [{"uno", "b"}]> : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Without a named mesh with such an axis nothing happens, inlined meshes or not.

sdy.mesh @mesh = <["a"=2]>

// CHECK-LABEL: func.func @only_inlined(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=1, "y"=2]>, [{"x", "y"}]>})
func.func @only_inlined(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=1, "y"=2]>, [{"x", "y"}]>}) {
  // CHECK-NEXT: return
  return
}

// -----

// Sub-axes that the axis stood between become one.

sdy.mesh @sub = <["c"=1, "a"=8]>

// CHECK-LABEL: func.func @between
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@sub, [{"a"}, {}]>}
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@sub, [{"a":(4)2, "a":(1)4}, {?}]>}
func.func @between(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@sub, [{"a":(1)4, "c", "a":(4)2}, {}]>},
                   %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@sub, [{"a":(4)2, "c", "a":(1)4}, {?}]>}) {
  return
}
