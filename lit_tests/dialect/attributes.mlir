// RUN: sdy-opt %s --no-verify | filecheck %s
// RUN: sdy-opt %s --no-verify --mlir-print-op-generic | sdy-opt --no-verify | filecheck %s
// RUN: sdy-opt %s --no-verify --verify-roundtrip | filecheck %s

// Meshes: axes and sizes; an identity device order is dropped, any other kept; empty and maximal meshes.
// CHECK: sdy.mesh @plain = <["data"=4, "model"=2]>
sdy.mesh @plain = <["data"=4, "model"=2]>
// CHECK-NEXT: sdy.mesh @identity = <["a"=2, "b"=2]>
sdy.mesh @identity = <["a"=2, "b"=2], device_ids=[0, 1, 2, 3]>
// CHECK-NEXT: sdy.mesh @ordered = <["a"=2, "b"=2], device_ids=[3, 1, 2, 0]>
sdy.mesh @ordered = < [ "a" = 2 , "b" = 2 ] , device_ids = [ 3,1,2,0 ] >
// CHECK-NEXT: sdy.mesh @empty = <[]>
sdy.mesh @empty = <[]>
// CHECK-NEXT: sdy.mesh @maximal = <[], device_ids=[3]>
sdy.mesh @maximal = <[], device_ids=[3]>
// CHECK-NEXT: sdy.mesh @"not bare" = <["an axis\22\0A"=2]>
sdy.mesh @"not bare" = <["an axis\22\n"=2]>

// Dimension shardings: closed and open, with axes, sub-axes and priorities.
// CHECK-LABEL: func.func @dimensions
// CHECK-SAME: %arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@plain, [{}, {?}, {"data"}]>}
// CHECK-SAME: %arg1: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@plain, [{"data":(1)2, ?}p0, {"model"}p12, {?}p1]>}
func.func @dimensions(%arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@plain, [ { } ,{ ? }, {"data"} ]>},
                      %arg1: tensor<8x8x8xf32> {sdy.sharding = #sdy<sharding<@plain, [{"data" : (1) 2, ?} p0, {"model"}p12, {?}p1]>>}) {
  return
}

// Replicated and unreduced axes are printed in this order, whichever they were written in; sum is not spelled.
// CHECK-LABEL: func.func @tails
// CHECK-SAME: %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@plain, [{}], replicated={"data"}, unreduced={"model"}>}
// CHECK-SAME: %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@plain, [{}], unreduced={"model"}>}
// CHECK-SAME: %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@plain, [{}], unreduced=max{"model"}>}
// CHECK-SAME: %arg3: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>}
func.func @tails(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@plain, [{}], unreduced={"model"}, replicated={"data"}>},
                 %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@plain, [{}], unreduced{"model"}>},
                 %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@plain, [{}], unreduced=max{"model"}>},
                 %arg3: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>}) {
  return
}

// Sharding rules: factor symbols beyond z, all groups, and the custom flag; empty groups vanish.
// CHECK-LABEL: func.func @rules
func.func @rules(%arg0: tensor<8x8xf32>) {
  // CHECK: {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([ij]) {i=8, j=8}>}
  %0 = stablehlo.custom_call @a(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i,j])->([ij]) {i=8,j=8} reduction={}>} : (tensor<8x8xf32>) -> tensor<64xf32>
  // CHECK: {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k])->([j, k]) {i=1, j=2, k=3} reduction={i} need_replication={j} blocked_propagation={k}, custom>}
  %1 = stablehlo.custom_call @b(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k])->([j, k]) {i=1, j=2, k=3} reduction={i} need_replication={j} blocked_propagation={k}, custom>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: {sdy.sharding_rule = #sdy.op_sharding_rule<([zz_1, z_2])->([])>}
  %2 = stablehlo.custom_call @c(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([zz_1, z_2])->([])>} : (tensor<8x8xf32>) -> tensor<f32>
  return
}

// Attributes that stand alone, and an alias of one.
// CHECK-LABEL: func.func @standalone
#alias = #sdy<manual_axes {"a", "b"}>
func.func @standalone() attributes {
    // CHECK-SAME: a = #sdy<manual_axes{"a", "b"}>
    a = #alias,
    // CHECK-SAME: b = #sdy<axis_ref"a":(1)2>
    b = #sdy<axis_ref "a":(1)2>,
    // CHECK-SAME: c = #sdy<dimension_sharding{"a", ?}p1>
    c = #sdy<dimension_sharding{"a", ?}p1>,
    // CHECK-SAME: d = #sdy<list_of_axis_ref_lists[{}, {"a"}]>
    d = #sdy<list_of_axis_ref_lists [{}, {"a"}]>,
    // CHECK-SAME: e = #sdy<all_to_all_param_list[{"a"}: 0->1, {"b"}: 2->3]>
    e = #sdy<all_to_all_param_list[{"a"}: 0->1, {"b"}: 2->3]>,
    // CHECK-SAME: f = #sdy.propagation_edges<[{step-2 = [{"y":(1)2 = operand-1 -> [operand-0, result-0]}]}]>
    f = #sdy.propagation_edges<[{step-2 = [{"y":(1)2 = operand-1 -> [operand-0, result-0]}]}]>,
    // CHECK-SAME: g = #sdy<tensor_mapping[ij, k]>
    g = #sdy<tensor_mapping[ij, k]>,
    // CHECK-SAME: h = #sdy<mesh_axis"a"=2>
    h = #sdy<mesh_axis"a"=2>} {
  return
}

// What is not a number has no keyword.
// CHECK-LABEL: func.func @reduction_without_keyword
func.func @reduction_without_keyword(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: "sdy.all_reduce"(%arg0) <{{.*}}reduction_op = "max"
  %0 = "sdy.all_reduce"(%arg0) <{out_sharding = #sdy.sharding<@mesh_of_keywords, [{}]>, reduction_axes = #sdy<axis_ref_list{"x"}>, reduction_op = "max"}> : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
