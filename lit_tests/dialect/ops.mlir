// RUN: sdy-opt %s | filecheck %s
// RUN: sdy-opt %s --mlir-print-op-generic | sdy-opt | filecheck %s
// RUN: sdy-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %if jaxlib-0.12 %{ sdy-opt %s --emit-bytecode | sdy-opt | filecheck %s %}

// CHECK: sdy.mesh @m = <["a"=2, "b"=4]>
// GENERIC: "sdy.mesh"() <{mesh = #sdy.mesh<["a"=2, "b"=4]>, sym_name = "m"}> : () -> ()
sdy.mesh @m = <["a"=2, "b"=4]>

// CHECK-LABEL: func.func @shardings
func.func @shardings(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: %[[C:.*]] = sdy.sharding_constraint %arg0 <@m, [{"a", ?}, {}]> : tensor<8x8xf32>
  %0 = sdy.sharding_constraint %x <@m, [{"a", ?}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[R:.*]] = sdy.reshard %[[C]] <@m, [{}, {"b":(1)2}]> {tag = "t"} : tensor<8x8xf32>
  // GENERIC: "sdy.reshard"(%{{.*}}) <{sharding = #sdy.sharding<@m, [{}, {"b":(1)2}]>}> {tag = "t"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.reshard %0 <@m, [{}, {"b":(1)2}]> {tag = "t"} : tensor<8x8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[R]] group_id=-3 : tensor<8x8xf32>
  sdy.sharding_group %1 group_id=-3 : tensor<8x8xf32>
  // CHECK-NEXT: %[[B:.*]] = sdy.propagation_barrier %[[R]] allowed_direction=BACKWARD : tensor<8x8xf32>
  // GENERIC: "sdy.propagation_barrier"(%{{.*}}) <{allowed_direction = 2 : i32}>
  %2 = sdy.propagation_barrier %1 allowed_direction=BACKWARD : tensor<8x8xf32>
  // CHECK-NEXT: return %[[B]]
  return %2 : tensor<8x8xf32>
}

// A constant has its attributes in front of the value; the other spellings mean the same.
// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK-NEXT: %0 = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  %0 = sdy.constant dense<1.0> : tensor<8xf32>
  // CHECK-NEXT: %1 = sdy.constant {tag} dense<[1, 2]> : tensor<2xi32>
  %1 = sdy.constant {tag} dense<[1, 2]> : tensor<2xi32>
  // CHECK-NEXT: %2 = sdy.constant dense<true> : tensor<i1>
  %2 = sdy.constant() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  // CHECK-NEXT: %3 = sdy.constant dense<3> : tensor<4xi8>
  %3 = sdy.constant() <{value = dense<3> : tensor<4xi8>}> : () -> tensor<4xi8>
  return
}

// Edges with and without a sharding, of a computation's argument and result and of a call.
// CHECK-LABEL: func.func @edges
func.func @edges(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: sdy.named_computation<"f">(%arg0) in_shardings=[<@m, [{?}]>] out_shardings=[<@m, [{"a"}]>] (%arg1: tensor<8xf32>) {
  %0 = sdy.named_computation<"f">(%x) in_shardings=[<@m, [{?}]>] out_shardings=[<@m, [{"a"}]>] (%p: tensor<8xf32>) {
    // CHECK-NEXT: %[[E:.*]] = sdy.data_flow_edge %arg1 sharding=<@m, [{"a"}]> : tensor<8xf32>
    %1 = sdy.data_flow_edge %p sharding=<@m, [{"a"}]> : tensor<8xf32>
    // CHECK-NEXT: sdy.return %[[E]] : tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  // CHECK-NEXT: } {tag = 1 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  } {tag = 1 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: sdy.data_flow_edge %{{.*}} : tensor<8xf32>
  %2 = sdy.data_flow_edge %0 : tensor<8xf32>
  %3 = call @callee(%2) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: sdy.func_data_flow_edge %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}]>]>} : tensor<8xf32>
  %4 = sdy.func_data_flow_edge %3 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}]>]>} : tensor<8xf32>
  return %4 : tensor<8xf32>
}
func.func private @callee(tensor<8xf32>) -> tensor<8xf32>

// Computations take and return any number of values of any types, also none.
// CHECK-LABEL: func.func @computations
func.func @computations(%x: tensor<8xf32>, %y: tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<8xf32>) {
  // CHECK-NEXT: %0:2 = sdy.named_computation<"swap">(%arg0, %arg1) (%arg2: tensor<8xf32>, %arg3: tensor<4x4xi32>) {
  %0:2 = sdy.named_computation<"swap">(%x, %y) (%p: tensor<8xf32>, %q: tensor<4x4xi32>) {
    // CHECK-NEXT: sdy.return %arg3, %arg2 : tensor<4x4xi32>, tensor<8xf32>
    sdy.return %q, %p : tensor<4x4xi32>, tensor<8xf32>
  // CHECK-NEXT: } : (tensor<8xf32>, tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<8xf32>)
  } : (tensor<8xf32>, tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<8xf32>)
  // CHECK-NEXT: sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    // CHECK-NEXT: sdy.return
    sdy.return
  // CHECK-NEXT: } : () -> ()
  } : () -> ()
  // CHECK-NEXT: %1:2 = sdy.manual_computation(%arg0, %arg1)
  // CHECK-SAME: in_shardings=[<@m, [{"a"}]>, <@m, [{}, {"a"}]>] out_shardings=[<@m, [{}, {"a"}]>, <@m, [{"a"}]>] manual_axes={"a"}
  // CHECK-SAME: (%arg2: tensor<4xf32>, %arg3: tensor<4x2xi32>) {
  %1:2 = sdy.manual_computation(%x, %y) in_shardings=[<@m, [{"a"}]>, <@m, [{}, {"a"}]>]
      out_shardings=[<@m, [{}, {"a"}]>, <@m, [{"a"}]>]
      manual_axes={"a"} (%p: tensor<4xf32>, %q: tensor<4x2xi32>) {
    sdy.return %q, %p : tensor<4x2xi32>, tensor<4xf32>
  } : (tensor<8xf32>, tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<8xf32>)
  return %0#0, %1#1 : tensor<4x4xi32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @collectives
func.func @collectives(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}]>}) {
  // CHECK-NEXT: %0 = sdy.all_gather [{}, {"b":(2)2}] %arg0 out_sharding=<@m, [{"a"}, {"b":(1)2}]> : tensor<8x8xf32>
  %0 = sdy.all_gather [{}, {"b":(2)2}] %x out_sharding=<@m, [{"a"}, {"b":(1)2}]> : tensor<8x8xf32>
  // CHECK-NEXT: %1 = sdy.all_slice [{}, {"b":(2)2}] %0 out_sharding=<@m, [{"a"}, {"b"}]> : tensor<8x8xf32>
  %1 = sdy.all_slice [{}, {"b":(2)2}] %0 out_sharding=<@m, [{"a"}, {"b"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %2 = sdy.all_to_all [{"a"}: 0->1] %1 out_sharding=<@m, [{}, {"b", "a"}]> : tensor<8x8xf32>
  %2 = sdy.all_to_all [{"a"}: 0->1] %1 out_sharding=<@m, [{}, {"b", "a"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %3 = sdy.collective_permute %2 out_sharding=<@m, [{}, {"a", "b"}]> : tensor<8x8xf32>
  %3 = sdy.collective_permute %2 out_sharding=<@m, [{}, {"a", "b"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %4 = sdy.sharded_to_unreduced [{}, {"b"}] %3 out_sharding=<@m, [{}, {"a"}], unreduced={"b"}> : tensor<8x8xf32>
  %4 = sdy.sharded_to_unreduced [{}, {"b"}] %3 out_sharding=<@m, [{}, {"a"}], unreduced={"b"}> : tensor<8x8xf32>
  // CHECK-NEXT: %5 = sdy.all_reduce {"b"} %4 out_sharding=<@m, [{}, {"a"}]> : tensor<8x8xf32>
  // GENERIC: "sdy.all_reduce"(%{{.*}}) <{out_sharding = #sdy.sharding<@m, [{}, {"a"}]>, reduction_axes = #sdy<axis_ref_list{"b"}>, reduction_op = 0 : i32}>
  %5 = sdy.all_reduce sum {"b"} %4 out_sharding=<@m, [{}, {"a"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %6 = sdy.replicated_to_unreduced {"b"} %5 out_sharding=<@m, [{}, {"a"}], unreduced=max{"b"}> : tensor<8x8xf32>
  %6 = sdy.replicated_to_unreduced {"b"} %5 out_sharding=<@m, [{}, {"a"}], unreduced=max{"b"}> : tensor<8x8xf32>
  // CHECK-NEXT: %7 = sdy.reduce_scatter max [{"b"}, {}] %6 out_sharding=<@m, [{"b"}, {"a"}]> : tensor<8x8xf32>
  %7 = sdy.reduce_scatter max [{"b"}, {}] %6 out_sharding=<@m, [{"b"}, {"a"}]> : tensor<8x8xf32>
  return
}

// Types hold attributes of the dialect, those of constants as well.
// CHECK-LABEL: func.func @constant_with_encoding
func.func @constant_with_encoding() -> tensor<8xf32, #sdy.sharding<@mesh, [{"a"}]>> {
  // CHECK-NEXT: %{{.*}} = sdy.constant dense<1.000000e+00> : tensor<8xf32, #sdy.sharding<@mesh, [{"a"}]>>
  %0 = sdy.constant dense<1.0> : tensor<8xf32, #sdy.sharding<@mesh, [{"a"}]>>
  return %0 : tensor<8xf32, #sdy.sharding<@mesh, [{"a"}]>>
}
