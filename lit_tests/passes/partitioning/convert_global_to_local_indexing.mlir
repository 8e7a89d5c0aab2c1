// RUN: sdy-opt %s --sdy-convert-global-to-local='enable-rgv3=false' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// An embedding lookup in a table with sharded rows: indices become relative to the device's rows, rows that another
// device has count as zero, and the devices sum up.
// CHECK-LABEL: func.func @gather
// CHECK-SAME: (%arg0: tensor<8x4xf32>{{.*}}, %arg1: tensor<4x1xi32>) -> (tensor<4x4xf32>{{.*}}) {
func.func @gather(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<4x1xi32>) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<4x1xi32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<15> : tensor<4x1xi32>
  // CHECK-NEXT: %[[CLAMP:.*]] = stablehlo.clamp %[[C]], %arg1, %[[C_2]] : tensor<4x1xi32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C_3:.*]] = stablehlo.constant dense<[0, 0, 8, 8]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C_3]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[CONVERT:.*]] = stablehlo.convert %[[R]] : tensor<i32>
  // CHECK-NEXT: %[[C_4:.*]] = stablehlo.constant dense<7> : tensor<i32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[CONVERT]], %[[C_4]] : tensor<i32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[CONVERT]], dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<i32>) -> tensor<4x1xi32>
  // CHECK-NEXT: %[[B_2:.*]] = stablehlo.broadcast_in_dim %[[ADD]], dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<i32>) -> tensor<4x1xi32>
  // CHECK-NEXT: %[[SUBTRACT:.*]] = stablehlo.subtract %[[CLAMP]], %[[B]] : tensor<4x1xi32>
  // CHECK-NEXT: %[[CMP:.*]] = stablehlo.compare GE, %[[CLAMP]], %[[B]] : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
  // CHECK-NEXT: %[[CMP_2:.*]] = stablehlo.compare LE, %[[CLAMP]], %[[B_2]] : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
  // CHECK-NEXT: %[[AND:.*]] = stablehlo.and %[[CMP]], %[[CMP_2]] : tensor<4x1xi1>
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.gather"(%arg0, %[[SUBTRACT]]) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<8x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
  // CHECK-NEXT: %[[C_5:.*]] = stablehlo.constant dense<true> : tensor<i1>
  // CHECK-NEXT: %[[REDUCE:.*]] = stablehlo.reduce(%[[AND]] init: %[[C_5]]) applies stablehlo.and across dimensions = [1] : (tensor<4x1xi1>, tensor<i1>) -> tensor<4xi1>
  // CHECK-NEXT: %[[B_3:.*]] = stablehlo.broadcast_in_dim %[[REDUCE]], dims = [0] : (tensor<4xi1>) -> tensor<4x4xi1>
  // CHECK-NEXT: %[[C_6:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<4x4xf32>
  // CHECK-NEXT: %[[SEL:.*]] = stablehlo.select %[[B_3]], %[[GATHER]], %[[C_6]] : tensor<4x4xi1>, tensor<4x4xf32>
  // CHECK-NEXT: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[SEL]]) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
  // CHECK-NEXT: %[[ADD_2:.*]] = stablehlo.add %arg2, %arg3 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[ADD_2]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: return %[[SUM]] : tensor<4x4xf32>
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<16x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Its gradient: a device adds the updates that fall into its rows. Along the axis that shards the updates, only the first
// device starts from the input, and the devices sum up.
// CHECK-LABEL: func.func @scatter
// CHECK-SAME: (%arg0: tensor<8x8xf32>{{.*}}, %arg1: tensor<2x1xi32>{{.*}}, %arg2: tensor<2x8xf32>{{.*}}) -> (tensor<8x8xf32>{{.*}}) {
func.func @scatter(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<4x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %arg2: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [] : (tensor<f32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C_2]], %[[ID]], sizes = [1] : (tensor<4xi1>, tensor<ui32>) -> tensor<1xi1>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi1>) -> tensor<i1>
  // CHECK-NEXT: %[[SEL:.*]] = stablehlo.select %[[R]], %arg0, %[[B]] : tensor<i1>, tensor<8x8xf32>
  // CHECK-NEXT: %[[ID_2:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C_3:.*]] = stablehlo.constant dense<[0, 0, 8, 8]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS_2:.*]] = stablehlo.dynamic_slice %[[C_3]], %[[ID_2]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R_2:.*]] = stablehlo.reshape %[[DS_2]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[CONVERT:.*]] = stablehlo.convert %[[R_2]] : tensor<i32>
  // CHECK-NEXT: %[[B_2:.*]] = stablehlo.broadcast_in_dim %[[CONVERT]], dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<i32>) -> tensor<2x1xi32>
  // CHECK-NEXT: %[[SUBTRACT:.*]] = stablehlo.subtract %arg1, %[[B_2]] : tensor<2x1xi32>
  // CHECK-NEXT: %[[SCATTER:.*]] = "stablehlo.scatter"(%[[SEL]], %[[SUBTRACT]], %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  // CHECK-NEXT: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg3, %arg4 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[ADD]] : tensor<f32>
  // CHECK-NEXT: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[SCATTER]]) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
  // CHECK-NEXT: %[[ADD_2:.*]] = stablehlo.add %arg3, %arg4 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[ADD_2]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return %[[SUM]] : tensor<8x8xf32>
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// An update of one row is written by the device that has it.
// CHECK-LABEL: func.func @dynamic_update_slice_row
// CHECK-SAME: (%arg0: tensor<4x8xf32>{{.*}}, %arg1: tensor<1x8xf32>, %arg2: tensor<i32>) -> (tensor<4x8xf32>{{.*}}) {
func.func @dynamic_update_slice_row(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<1x8xf32>, %arg2: tensor<i32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[C_3:.*]] = stablehlo.constant dense<7> : tensor<i32>
  // CHECK-NEXT: %[[CLAMP:.*]] = stablehlo.clamp %[[C_2]], %arg2, %[[C_3]] : tensor<i32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C_4:.*]] = stablehlo.constant dense<[0, 0, 4, 4]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C_4]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[CONVERT:.*]] = stablehlo.convert %[[R]] : tensor<i32>
  // CHECK-NEXT: %[[C_5:.*]] = stablehlo.constant dense<1> : tensor<i32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[CLAMP]], %[[C_5]] : tensor<i32>
  // CHECK-NEXT: %[[C_6:.*]] = stablehlo.constant dense<4> : tensor<i32>
  // CHECK-NEXT: %[[ADD_2:.*]] = stablehlo.add %[[CONVERT]], %[[C_6]] : tensor<i32>
  // CHECK-NEXT: %[[CMP:.*]] = stablehlo.compare GE, %[[CLAMP]], %[[CONVERT]] : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK-NEXT: %[[CMP_2:.*]] = stablehlo.compare LE, %[[ADD]], %[[ADD_2]] : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK-NEXT: %[[AND:.*]] = stablehlo.and %[[CMP]], %[[CMP_2]] : tensor<i1>
  // CHECK-NEXT: %[[SUBTRACT:.*]] = stablehlo.subtract %[[CLAMP]], %[[CONVERT]] : tensor<i32>
  // CHECK-NEXT: %[[SEL:.*]] = stablehlo.select %[[AND]], %[[SUBTRACT]], %[[C_2]] : tensor<i1>, tensor<i32>
  // CHECK-NEXT: %[[DYNAMIC_UPDATE_SLICE:.*]] = stablehlo.dynamic_update_slice %arg0, %arg1, %[[SEL]], %[[C]] : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[AND]], dims = [] : (tensor<i1>) -> tensor<4x8xi1>
  // CHECK-NEXT: %[[SEL_2:.*]] = stablehlo.select %[[B]], %[[DYNAMIC_UPDATE_SLICE]], %arg0 : tensor<4x8xi1>, tensor<4x8xf32>
  // CHECK-NEXT: return %[[SEL_2]] : tensor<4x8xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// An update that may cross two parts is written into parts with margins.
// Unlike the reference, which refuses.
// CHECK-LABEL: func.func @dynamic_update_slice_rows
// CHECK-SAME: (%arg0: tensor<4x8xf32>{{.*}}, %arg1: tensor<3x8xf32>, %arg2: tensor<i32>) -> (tensor<4x8xf32>{{.*}}) {
func.func @dynamic_update_slice_rows(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<3x8xf32>, %arg2: tensor<i32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[C_3:.*]] = stablehlo.constant dense<5> : tensor<i32>
  // CHECK-NEXT: %[[CLAMP:.*]] = stablehlo.clamp %[[C_2]], %arg2, %[[C_3]] : tensor<i32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C_4:.*]] = stablehlo.constant dense<[0, 0, 4, 4]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C_4]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[CONVERT:.*]] = stablehlo.convert %[[R]] : tensor<i32>
  // CHECK-NEXT: %[[C_5:.*]] = stablehlo.constant dense<3> : tensor<i32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[CLAMP]], %[[C_5]] : tensor<i32>
  // CHECK-NEXT: %[[MAXIMUM:.*]] = stablehlo.maximum %[[ADD]], %[[CONVERT]] : tensor<i32>
  // CHECK-NEXT: %[[SUBTRACT:.*]] = stablehlo.subtract %[[MAXIMUM]], %[[CONVERT]] : tensor<i32>
  // CHECK-NEXT: %[[C_6:.*]] = stablehlo.constant dense<7> : tensor<i32>
  // CHECK-NEXT: %[[MINIMUM:.*]] = stablehlo.minimum %[[SUBTRACT]], %[[C_6]] : tensor<i32>
  // CHECK-NEXT: %[[C_7:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %arg0, %[[C_7]], low = [3, 0], high = [3, 0], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<10x8xf32>
  // CHECK-NEXT: %[[DYNAMIC_UPDATE_SLICE:.*]] = stablehlo.dynamic_update_slice %[[PAD]], %arg1, %[[MINIMUM]], %[[C]] : (tensor<10x8xf32>, tensor<3x8xf32>, tensor<i32>, tensor<i32>) -> tensor<10x8xf32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[DYNAMIC_UPDATE_SLICE]] [3:7, 0:8] : (tensor<10x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: return %[[SLICE]] : tensor<4x8xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>, tensor<3x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Along a sharded dimension a dynamic slice takes all there is.
// CHECK-LABEL: func.func @dynamic_slice
// CHECK-SAME: (%arg0: tensor<4x8xf32>{{.*}}, %arg1: tensor<i32>) -> (tensor<4x3xf32>{{.*}}) {
func.func @dynamic_slice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<i32>) -> (tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [4, 3] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  // CHECK-NEXT: return %[[DS]] : tensor<4x3xf32>
  %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [8, 3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// A pad whose parts stay on their devices, but at different places in them, is cut out of a larger one.
// CHECK-LABEL: func.func @pad
// CHECK-SAME: (%arg0: tensor<3x8xf32>{{.*}}, %arg1: tensor<f32>) -> (tensor<4x9xf32>{{.*}}) {
func.func @pad(%arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<f32>) -> (tensor<8x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %arg0, %arg1, low = [1, 1], high = [1, 0], interior = [0, 0] : (tensor<3x8xf32>, tensor<f32>) -> tensor<5x9xf32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[0, 0, 1, 1]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[DS_2:.*]] = stablehlo.dynamic_slice %[[PAD]], %[[R]], %[[C_2]], sizes = [4, 9] : (tensor<5x9xf32>, tensor<i32>, tensor<i32>) -> tensor<4x9xf32>
  // CHECK-NEXT: return %[[DS_2]] : tensor<4x9xf32>
  %0 = stablehlo.pad %arg0, %arg1, low = [1, 1], high = [1, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<6x8xf32>, tensor<f32>) -> tensor<8x9xf32>
  return %0 : tensor<8x9xf32>
}

sdy.mesh @halves = <["h"=2]>

// The mask of a single element has no dimensions either.
// CHECK-LABEL: func.func @gather_of_one_element
func.func @gather_of_one_element(%arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@halves, [{"h"}]>}, %arg1: tensor<1xi32>) -> tensor<f32> {
  // CHECK:      %[[ALL:.*]] = stablehlo.reduce({{.*}}) applies stablehlo.and across dimensions = [0] : (tensor<1xi1>, tensor<i1>) -> tensor<i1>
  // CHECK-NEXT: %[[MASK:.*]] = stablehlo.broadcast_in_dim %[[ALL]], dims = [] : (tensor<i1>) -> tensor<i1>
  // CHECK:      stablehlo.select %[[MASK]]
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1>}> : (tensor<2xf32>, tensor<1xi32>) -> tensor<f32>
  return %0 : tensor<f32>
}
