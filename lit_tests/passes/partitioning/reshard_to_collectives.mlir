// RUN: sdy-opt %s --sdy-reshard-to-collectives | filecheck %s
// RUN: sdy-opt %s --sdy-reshard-to-collectives=keep-redundant-reshards=true | filecheck %s --check-prefix=KEEP
// RUN: sdy-opt %s --sdy-reshard-to-collectives=cross-meshes=true | filecheck %s --check-prefix=CROSS

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "w"=2]>
sdy.mesh @cube = <["a"=2, "b"=2, "c"=2]>
sdy.mesh @cube_again = <["a"=2, "b"=2, "c"=2]>
sdy.mesh @cube_reversed = <["a"=2, "b"=2, "c"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
sdy.mesh @line = <["i"=8]>
sdy.mesh @one = <[], device_ids=[0]>
sdy.mesh @odd = <["p"=3, "q"=4, "r"=2]>

// Axes that are no longer wanted are gathered.
// CHECK-LABEL: func.func @gather(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_gather [{"z"}, {"y"}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<64x64xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<64x64xf32>
func.func @gather(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "z"}, {"y"}]>}) -> tensor<64x64xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {?}]> : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// Axes that are new are sliced.
// CHECK-LABEL: func.func @slice(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_slice [{"z"}, {"y":(1)2}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {"y":(1)2}]> : tensor<64x64xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<64x64xf32>
func.func @slice(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x64xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"x", "z"}, {"y":(1)2}]> : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// An axis that changes dimension moves.
// CHECK-LABEL: func.func @move(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<64x64xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<64x64xf32>
func.func @move(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x64xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// What moves takes along axes that the target wants behind it.
// CHECK-LABEL: func.func @slice_then_move(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_slice [{"z"}, {}] %arg0 out_sharding=<@mesh, [{"x", "z"}, {}]> : tensor<64x64xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"x", "z"}: 0->1] %[[V0]] out_sharding=<@mesh, [{}, {"x", "z"}]> : tensor<64x64xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<64x64xf32>
func.func @slice_then_move(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x64xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x", "z"}]> : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// Axes of equal size change places in one permute.
// CHECK-LABEL: func.func @permute(
// CHECK-NEXT:  %[[V0:.*]] = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"z"}, {"x"}]> : tensor<64x64xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<64x64xf32>
func.func @permute(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"z"}]>}) -> tensor<64x64xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"z"}, {"x"}]> : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// Axes of different size are cut to change places.
// CHECK-LABEL: func.func @permute_then_move(
// CHECK-NEXT:  %[[V0:.*]] = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y":(1)2}, {"x", "y":(2)2}]> : tensor<64x64xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"y":(2)2}: 1->0] %[[V0]] out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<64x64xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<64x64xf32>
func.func @permute_then_move(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<64x64xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"y"}, {"x"}]> : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// Three moves of a cycle through three dimensions.
// CHECK-LABEL: func.func @permute_move_gather(
// CHECK-NEXT:  %[[V0:.*]] = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y":(1)2, "x"}, {"z", "y":(2)2}, {}]> : tensor<64x64x64xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"x"}: 0->2] %[[V0]] out_sharding=<@mesh, [{"y":(1)2}, {"z", "y":(2)2}, {"x"}]> : tensor<64x64x64xf32>
// CHECK-NEXT:  %[[V2:.*]] = sdy.all_gather [{"y":(1)2}, {"y":(2)2}, {}] %[[V1]] out_sharding=<@mesh, [{}, {"z"}, {"x"}]> : tensor<64x64x64xf32>
// CHECK-NEXT:  return %[[V2]] : tensor<64x64x64xf32>
func.func @permute_move_gather(%arg0: tensor<64x64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "z"}, {"y"}, {}]>}) -> tensor<64x64x64xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"z"}, {"x"}]> : tensor<64x64x64xf32>
  return %0 : tensor<64x64x64xf32>
}

// A dimension that needs other padding is gathered first.
// CHECK-LABEL: func.func @padding_changes(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_gather [{"a", "b"}, {}] %arg0 out_sharding=<@cube, [{}, {}]> : tensor<6x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_slice [{"b"}, {"a"}] %[[V0]] out_sharding=<@cube, [{"b"}, {"a"}]> : tensor<6x8xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<6x8xf32>
func.func @padding_changes(%arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@cube, [{"a", "b"}, {}]>}) -> tensor<6x8xf32> {
  %0 = sdy.reshard %arg0 <@cube, [{"b"}, {"a"}]> : tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// The size of a dynamic dimension does not matter.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_slice [{"b"}, {}] %arg0 out_sharding=<@cube, [{"a", "b"}, {}]> : tensor<?x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"a", "b"}: 0->1] %[[V0]] out_sharding=<@cube, [{}, {"a", "b"}]> : tensor<?x8xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<?x8xf32>
func.func @dynamic(%arg0: tensor<?x8xf32> {sdy.sharding = #sdy.sharding<@cube, [{"a"}, {}]>}) -> tensor<?x8xf32> {
  %0 = sdy.reshard %arg0 <@cube, [{}, {"a", "b"}]> : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// No permute keeps the shard counts of these axes, so what is not final is gathered and sliced.
// CHECK-LABEL: func.func @sizes_that_do_not_divide(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_gather [{"p"}, {"r"}] %arg0 out_sharding=<@odd, [{}, {}]> : tensor<24x24xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_slice [{"r", "q"}, {"p"}] %[[V0]] out_sharding=<@odd, [{"r", "q"}, {"p"}]> : tensor<24x24xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<24x24xf32>
func.func @sizes_that_do_not_divide(%arg0: tensor<24x24xf32> {sdy.sharding = #sdy.sharding<@odd, [{"p"}, {"r"}]>}) -> tensor<24x24xf32> {
  %0 = sdy.reshard %arg0 <@odd, [{"r", "q"}, {"p"}]> : tensor<24x24xf32>
  return %0 : tensor<24x24xf32>
}

// Another order of devices takes a permute, and nothing else where the axes are the same.
// CHECK-LABEL: func.func @device_order(
// CHECK-NEXT:  %[[V0:.*]] = sdy.collective_permute %arg0 out_sharding=<@cube_reversed, [{"a"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<8x8xf32>
func.func @device_order(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@cube, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.reshard %arg0 <@cube_reversed, [{"a"}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Another name of the same mesh takes nothing.
// CHECK-LABEL: func.func @mesh_by_another_name(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_slice [{"b"}, {}] %arg0 out_sharding=<@cube, [{"a", "b"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<8x8xf32>
func.func @mesh_by_another_name(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@cube, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.reshard %arg0 <@cube_again, [{"a", "b"}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Replicated is replicated on any mesh; the gather is on the mesh of the operand.
// CHECK-LABEL: func.func @replicated_elsewhere(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_gather [{"a"}, {}] %arg0 out_sharding=<@cube, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<8x8xf32>
func.func @replicated_elsewhere(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@cube, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.reshard %arg0 <@line, [{}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Between meshes that differ in their axes a reshard stays, unless data may be replicated on the way.
// CHECK-LABEL: func.func @other_axes(
// CHECK-NEXT:  %[[V0:.*]] = sdy.reshard %arg0 <@line, [{"i"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<8x8xf32>
// CROSS-LABEL: func.func @other_axes(
// CROSS-NEXT:  %[[V0:.*]] = sdy.all_gather [{"a"}, {}] %arg0 out_sharding=<@cube, [{}, {}]> : tensor<8x8xf32>
// CROSS-NEXT:  %[[V1:.*]] = stablehlo.reshape %[[V0]] : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CROSS-NEXT:  %[[V2:.*]] = sdy.all_slice [{"i"}, {}] %[[V1]] out_sharding=<@line, [{"i"}, {}]> : tensor<8x8xf32>
// CROSS-NEXT:  return %[[V2]] : tensor<8x8xf32>
func.func @other_axes(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@cube, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.reshard %arg0 <@line, [{"i"}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A reshard to a single device is not for this pass; across meshes its operand is gathered, by all devices.
// CHECK-LABEL: func.func @single_device(
// CHECK-NEXT:  %[[V0:.*]] = sdy.reshard %arg0 <@one, []> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<8x8xf32>
// CROSS-LABEL: func.func @single_device(
// CROSS-NEXT:  %[[V0:.*]] = sdy.all_gather [{"a"}, {}] %arg0 out_sharding=<@cube, [{}, {}]> : tensor<8x8xf32>
// CROSS-NEXT:  %[[V1:.*]] = sdy.reshard %[[V0]] <@one, []> : tensor<8x8xf32>
func.func @single_device(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@cube, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.reshard %arg0 <@one, []> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// An operand without a sharding is replicated.
// CHECK-LABEL: func.func @no_sharding(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_slice [{"a"}, {}] %arg0 out_sharding=<@cube, [{"a"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<8x8xf32>
func.func @no_sharding(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.reshard %arg0 <@cube, [{"a"}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A reshard that changes nothing goes away, unless redundant ones are kept.
// CHECK-LABEL: func.func @redundant(
// CHECK-NEXT:  return %arg0 : tensor<8x8xf32>
// KEEP-LABEL: func.func @redundant(
// KEEP-NEXT:  %[[V0:.*]] = sdy.reshard %arg0 <@cube, [{"a", ?}, {}]> : tensor<8x8xf32>
// KEEP-NEXT:  return %[[V0]] : tensor<8x8xf32>
func.func @redundant(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@cube, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.reshard %arg0 <@cube, [{"a", ?}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Barriers are looked through, and left behind.
// CHECK-LABEL: func.func @barrier(
// CHECK-NEXT:  %[[V0:.*]] = sdy.propagation_barrier %arg0 allowed_direction=NONE : tensor<8x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"a"}: 0->1] %arg0 out_sharding=<@cube, [{}, {"a"}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<8x8xf32>
func.func @barrier(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@cube, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.propagation_barrier %arg0 allowed_direction=NONE : tensor<8x8xf32>
  %1 = sdy.reshard %0 <@cube, [{}, {"a"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// The unreduced axes of the target, and their reduction, are on every op.
// CHECK-LABEL: func.func @unreduced(
// CHECK-NEXT:  %[[V0:.*]] = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y":(1)2}, {"x", "y":(2)2}], unreduced=max{"w"}> : tensor<64x64xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"y":(2)2}: 1->0] %[[V0]] out_sharding=<@mesh, [{"y"}, {"x"}], unreduced=max{"w"}> : tensor<64x64xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<64x64xf32>
func.func @unreduced(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}], unreduced=max{"w"}>}) -> tensor<64x64xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"y"}, {"x"}], unreduced=max{"w"}> : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// A gather keeps the unreduced axes of a replicated target.
// CHECK-LABEL: func.func @gather_unreduced(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}], unreduced={"y"}> : tensor<64x64xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<64x64xf32>
func.func @gather_unreduced(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>}) -> tensor<64x64xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced={"y"}> : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// A reshard of a reshard starts from what the first has become, also in a nested region.
// CHECK-LABEL: func.func @chain_in_body(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_gather [{"a"}, {}] %arg0 out_sharding=<@cube, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.manual_computation(%[[V0]]) in_shardings=[<@cube, [{}, {}]>] out_shardings=[<@cube, [{"b"}, {}]>] manual_axes={"c"} (%arg1: tensor<8x8xf32>) {
// CHECK-NEXT:    %[[V2:.*]] = sdy.all_slice [{}, {"a"}] %arg1 out_sharding=<@cube, [{}, {"a"}]> : tensor<8x8xf32>
// CHECK-NEXT:    %[[V3:.*]] = sdy.all_slice [{"b"}, {}] %[[V2]] out_sharding=<@cube, [{"b"}, {"a"}]> : tensor<8x8xf32>
// CHECK-NEXT:    sdy.return %[[V3]] : tensor<8x8xf32>
// CHECK-NEXT:  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<8x8xf32>
func.func @chain_in_body(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@cube, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.reshard %arg0 <@cube, [{}, {}]> : tensor<8x8xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@cube, [{}, {}]>] out_shardings=[<@cube, [{"b"}, {}]>] manual_axes={"c"} (%arg1: tensor<8x8xf32>) {
    %2 = sdy.reshard %arg1 <@cube, [{}, {"a"}]> : tensor<8x8xf32>
    %3 = sdy.reshard %2 <@cube, [{"b"}, {"a"}]> : tensor<8x8xf32>
    sdy.return %3 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

sdy.mesh @trivial = <["a"=2, "one"=1]>

// An axis of size 1 is not sliced along: there are no parts.
// CHECK-LABEL: func.func @axis_of_size_one(
func.func @axis_of_size_one(%arg0: tensor<3xf32> {sdy.sharding = #sdy.sharding<@trivial, [{}]>}) -> tensor<3xf32> {
  // CHECK-NEXT: %[[SLICE:.*]] = sdy.all_slice [{"a"}] %arg0 out_sharding=<@trivial, [{"a"}]> : tensor<3xf32>
  // CHECK-NEXT: return %[[SLICE]]
  %0 = sdy.reshard %arg0 <@trivial, [{"a", "one"}]> : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Nor does it ask for padding of its own.
// CHECK-LABEL: func.func @slice_behind_axis_of_size_one(
func.func @slice_behind_axis_of_size_one(%arg0: tensor<3xf32> {sdy.sharding = #sdy.sharding<@trivial, [{"one"}]>}) -> tensor<3xf32> {
  // CHECK-NEXT: %[[SLICE:.*]] = sdy.all_slice [{"a"}] %arg0 out_sharding=<@trivial, [{"one", "a"}]> : tensor<3xf32>
  // CHECK-NEXT: return %[[SLICE]]
  %0 = sdy.reshard %arg0 <@trivial, [{"one", "a"}]> : tensor<3xf32>
  return %0 : tensor<3xf32>
}
