// The sdy dialect in IRDL, emitted from its Python declaration by `python -m sdy.dialect.irdl_loading`.
module {
  module {
    irdl.dialect @sdy {
      irdl.attribute @mesh_axis {
        %0 = irdl.base "#builtin.string"
        %1 = irdl.base "#builtin.integer"
        irdl.parameters(name: %0, size: %1)
      }
      irdl.attribute @mesh {
        %0 = irdl.base "#builtin.array"
        %1 = irdl.base "#builtin.dense_array"
        irdl.parameters(axes: %0, device_ids: %1)
      }
      irdl.attribute @sub_axis_info {
        %0 = irdl.base "#builtin.integer"
        %1 = irdl.base "#builtin.integer"
        irdl.parameters(pre_size: %0, size: %1)
      }
      irdl.attribute @axis_ref {
        %0 = irdl.base "#builtin.string"
        %1 = irdl.base @sdy::@sub_axis_info
        %2 = irdl.base "#builtin.unit"
        %3 = irdl.any_of(%1, %2)
        irdl.parameters(name: %0, sub_axis_info: %3)
      }
      irdl.attribute @dimension_sharding {
        %0 = irdl.base "#builtin.array"
        %1 = irdl.is true
        %2 = irdl.is false
        %3 = irdl.any_of(%1, %2)
        %4 = irdl.base "#builtin.integer"
        %5 = irdl.base "#builtin.unit"
        %6 = irdl.any_of(%4, %5)
        irdl.parameters(axes: %0, is_closed: %3, priority: %6)
      }
      irdl.attribute @sharding {
        %0 = irdl.base @sdy::@mesh
        %1 = irdl.base "#builtin.symbol_ref"
        %2 = irdl.any_of(%0, %1)
        %3 = irdl.base "#builtin.array"
        %4 = irdl.base "#builtin.array"
        %5 = irdl.base "#builtin.array"
        %6 = irdl.is 0 : i64
        %7 = irdl.is 1 : i64
        %8 = irdl.is 2 : i64
        %9 = irdl.any_of(%6, %7, %8)
        irdl.parameters(mesh_or_ref: %2, dim_shardings: %3, replicated_axes: %4, unreduced_axes: %5, reduction_op: %9)
      }
      irdl.attribute @sharding_per_value {
        %0 = irdl.base "#builtin.array"
        irdl.parameters(shardings: %0)
      }
      irdl.attribute @dim_mapping {
        %0 = irdl.base "#builtin.dense_array"
        irdl.parameters(factor_indices: %0)
      }
      irdl.attribute @tensor_mapping {
        %0 = irdl.base "#builtin.array"
        irdl.parameters(dim_mappings: %0)
      }
      irdl.attribute @op_sharding_rule {
        %0 = irdl.base "#builtin.dense_array"
        %1 = irdl.base "#builtin.array"
        %2 = irdl.base "#builtin.array"
        %3 = irdl.base "#builtin.dense_array"
        %4 = irdl.base "#builtin.dense_array"
        %5 = irdl.base "#builtin.dense_array"
        %6 = irdl.base "#builtin.dense_array"
        %7 = irdl.is true
        %8 = irdl.is false
        %9 = irdl.any_of(%7, %8)
        irdl.parameters(factor_sizes: %0, operand_mappings: %1, result_mappings: %2, reduction_factors: %3, need_replication_factors: %4, permutation_factors: %5, blocked_propagation_factors: %6, is_custom_rule: %9)
      }
      irdl.attribute @manual_axes {
        %0 = irdl.base "#builtin.array"
        irdl.parameters(value: %0)
      }
      irdl.attribute @axis_ref_list {
        %0 = irdl.base "#builtin.array"
        irdl.parameters(value: %0)
      }
      irdl.attribute @list_of_axis_ref_lists {
        %0 = irdl.base "#builtin.array"
        irdl.parameters(value: %0)
      }
      irdl.attribute @all_to_all_param {
        %0 = irdl.base "#builtin.array"
        %1 = irdl.base "#builtin.integer"
        %2 = irdl.base "#builtin.integer"
        irdl.parameters(axes: %0, src_dim: %1, tgt_dim: %2)
      }
      irdl.attribute @all_to_all_param_list {
        %0 = irdl.base "#builtin.array"
        irdl.parameters(value: %0)
      }
      irdl.attribute @edge_value_ref {
        %0 = irdl.is 0 : i64
        %1 = irdl.is 1 : i64
        %2 = irdl.any_of(%0, %1)
        %3 = irdl.base "#builtin.integer"
        irdl.parameters(type: %2, index: %3)
      }
      irdl.attribute @axis_to_propagation_details {
        %0 = irdl.base @sdy::@axis_ref
        %1 = irdl.base @sdy::@edge_value_ref
        %2 = irdl.base "#builtin.array"
        irdl.parameters(axis_name: %0, source: %1, targets: %2)
      }
      irdl.attribute @propagation_one_step {
        %0 = irdl.base "#builtin.integer"
        %1 = irdl.base "#builtin.array"
        irdl.parameters(step_index: %0, axis_entries: %1)
      }
      irdl.attribute @propagation_edges {
        %0 = irdl.base "#builtin.array"
        irdl.parameters(steps: %0)
      }
      irdl.operation @sharding_constraint {
        %0 = irdl.any
        irdl.operands(input: %0)
        %1 = irdl.base @sdy::@sharding
        irdl.attributes {"sharding" = %1}
        irdl.results(result: %0)
      }
      irdl.operation @reshard {
        %0 = irdl.any
        irdl.operands(input: %0)
        %1 = irdl.base @sdy::@sharding
        irdl.attributes {"sharding" = %1}
        irdl.results(result: %0)
      }
      irdl.operation @sharding_group {
        %0 = irdl.base "!builtin.tensor"
        irdl.operands(input: %0)
        %1 = irdl.base "#builtin.integer"
        irdl.attributes {"group_id" = %1}
      }
      irdl.operation @constant {
        %0 = irdl.any
        irdl.attributes {"value" = %0}
        %1 = irdl.base "!builtin.tensor"
        irdl.results(output: %1)
      }
      irdl.operation @data_flow_edge {
        %0 = irdl.any
        irdl.operands(input: %0)
        irdl.results(result: %0)
      }
      irdl.operation @func_data_flow_edge {
        %0 = irdl.any
        irdl.operands(input: %0)
        irdl.results(result: %0)
      }
      irdl.operation @propagation_barrier {
        %0 = irdl.base "!builtin.tensor"
        irdl.operands(input: %0)
        %1 = irdl.is 0 : i32
        %2 = irdl.is 1 : i32
        %3 = irdl.is 2 : i32
        %4 = irdl.is 3 : i32
        %5 = irdl.any_of(%1, %2, %3, %4)
        irdl.attributes {"allowed_direction" = %5}
        irdl.results(result: %0)
      }
      irdl.operation @named_computation {
        %0 = irdl.any
        %1 = irdl.any
        %2 = irdl.any
        %3 = irdl.any
        %4 = irdl.any
        %5 = irdl.any
        %6 = irdl.any
        %7 = irdl.any
        %8 = irdl.any
        %9 = irdl.any
        %10 = irdl.any
        %11 = irdl.any
        %12 = irdl.any
        %13 = irdl.any
        %14 = irdl.any
        %15 = irdl.any
        irdl.operands(operands_0: variadic %0, operands_1: variadic %1, operands_2: variadic %2, operands_3: variadic %3, operands_4: variadic %4, operands_5: variadic %5, operands_6: variadic %6, operands_7: variadic %7, operands_8: variadic %8, operands_9: variadic %9, operands_10: variadic %10, operands_11: variadic %11, operands_12: variadic %12, operands_13: variadic %13, operands_14: variadic %14, operands_15: variadic %15)
        %16 = irdl.any
        %17 = irdl.any
        %18 = irdl.any
        %19 = irdl.any
        %20 = irdl.any
        %21 = irdl.any
        %22 = irdl.any
        %23 = irdl.any
        %24 = irdl.any
        %25 = irdl.any
        %26 = irdl.any
        %27 = irdl.any
        %28 = irdl.any
        %29 = irdl.any
        %30 = irdl.any
        %31 = irdl.any
        irdl.results(results_0: variadic %16, results_1: variadic %17, results_2: variadic %18, results_3: variadic %19, results_4: variadic %20, results_5: variadic %21, results_6: variadic %22, results_7: variadic %23, results_8: variadic %24, results_9: variadic %25, results_10: variadic %26, results_11: variadic %27, results_12: variadic %28, results_13: variadic %29, results_14: variadic %30, results_15: variadic %31)
        %32 = irdl.base "#builtin.string"
        irdl.attributes {"name" = %32}
        %33 = irdl.region with size 1
        irdl.regions(body: %33)
      }
      irdl.operation @manual_computation {
        %0 = irdl.any
        %1 = irdl.any
        %2 = irdl.any
        %3 = irdl.any
        %4 = irdl.any
        %5 = irdl.any
        %6 = irdl.any
        %7 = irdl.any
        %8 = irdl.any
        %9 = irdl.any
        %10 = irdl.any
        %11 = irdl.any
        %12 = irdl.any
        %13 = irdl.any
        %14 = irdl.any
        %15 = irdl.any
        irdl.operands(operands_0: variadic %0, operands_1: variadic %1, operands_2: variadic %2, operands_3: variadic %3, operands_4: variadic %4, operands_5: variadic %5, operands_6: variadic %6, operands_7: variadic %7, operands_8: variadic %8, operands_9: variadic %9, operands_10: variadic %10, operands_11: variadic %11, operands_12: variadic %12, operands_13: variadic %13, operands_14: variadic %14, operands_15: variadic %15)
        %16 = irdl.any
        %17 = irdl.any
        %18 = irdl.any
        %19 = irdl.any
        %20 = irdl.any
        %21 = irdl.any
        %22 = irdl.any
        %23 = irdl.any
        %24 = irdl.any
        %25 = irdl.any
        %26 = irdl.any
        %27 = irdl.any
        %28 = irdl.any
        %29 = irdl.any
        %30 = irdl.any
        %31 = irdl.any
        irdl.results(results_0: variadic %16, results_1: variadic %17, results_2: variadic %18, results_3: variadic %19, results_4: variadic %20, results_5: variadic %21, results_6: variadic %22, results_7: variadic %23, results_8: variadic %24, results_9: variadic %25, results_10: variadic %26, results_11: variadic %27, results_12: variadic %28, results_13: variadic %29, results_14: variadic %30, results_15: variadic %31)
        %32 = irdl.base @sdy::@sharding_per_value
        %33 = irdl.base @sdy::@sharding_per_value
        %34 = irdl.base @sdy::@manual_axes
        irdl.attributes {"in_shardings" = %32, "out_shardings" = %33, "manual_axes" = %34}
        %35 = irdl.region with size 1
        irdl.regions(body: %35)
      }
      irdl.operation @return {
        %0 = irdl.any
        %1 = irdl.any
        %2 = irdl.any
        %3 = irdl.any
        %4 = irdl.any
        %5 = irdl.any
        %6 = irdl.any
        %7 = irdl.any
        %8 = irdl.any
        %9 = irdl.any
        %10 = irdl.any
        %11 = irdl.any
        %12 = irdl.any
        %13 = irdl.any
        %14 = irdl.any
        %15 = irdl.any
        irdl.operands(results_0: variadic %0, results_1: variadic %1, results_2: variadic %2, results_3: variadic %3, results_4: variadic %4, results_5: variadic %5, results_6: variadic %6, results_7: variadic %7, results_8: variadic %8, results_9: variadic %9, results_10: variadic %10, results_11: variadic %11, results_12: variadic %12, results_13: variadic %13, results_14: variadic %14, results_15: variadic %15)
      }
      irdl.operation @all_gather {
        %0 = irdl.base "!builtin.tensor"
        %1 = irdl.base "!builtin.unranked_tensor"
        %2 = irdl.base "!builtin.memref"
        %3 = irdl.base "!builtin.unranked_memref"
        %4 = irdl.base "!builtin.vector"
        %5 = irdl.any_of(%0, %1, %2, %3, %4)
        irdl.operands(tensor: %5)
        %6 = irdl.base @sdy::@sharding
        %7 = irdl.base @sdy::@list_of_axis_ref_lists
        irdl.attributes {"out_sharding" = %6, "gathering_axes" = %7}
        irdl.results(result: %5)
      }
      irdl.operation @all_slice {
        %0 = irdl.base "!builtin.tensor"
        %1 = irdl.base "!builtin.unranked_tensor"
        %2 = irdl.base "!builtin.memref"
        %3 = irdl.base "!builtin.unranked_memref"
        %4 = irdl.base "!builtin.vector"
        %5 = irdl.any_of(%0, %1, %2, %3, %4)
        irdl.operands(tensor: %5)
        %6 = irdl.base @sdy::@sharding
        %7 = irdl.base @sdy::@list_of_axis_ref_lists
        irdl.attributes {"out_sharding" = %6, "slicing_axes" = %7}
        irdl.results(result: %5)
      }
      irdl.operation @all_to_all {
        %0 = irdl.base "!builtin.tensor"
        %1 = irdl.base "!builtin.unranked_tensor"
        %2 = irdl.base "!builtin.memref"
        %3 = irdl.base "!builtin.unranked_memref"
        %4 = irdl.base "!builtin.vector"
        %5 = irdl.any_of(%0, %1, %2, %3, %4)
        irdl.operands(tensor: %5)
        %6 = irdl.base @sdy::@sharding
        %7 = irdl.base @sdy::@all_to_all_param_list
        irdl.attributes {"out_sharding" = %6, "params" = %7}
        irdl.results(result: %5)
      }
      irdl.operation @collective_permute {
        %0 = irdl.base "!builtin.tensor"
        %1 = irdl.base "!builtin.unranked_tensor"
        %2 = irdl.base "!builtin.memref"
        %3 = irdl.base "!builtin.unranked_memref"
        %4 = irdl.base "!builtin.vector"
        %5 = irdl.any_of(%0, %1, %2, %3, %4)
        irdl.operands(tensor: %5)
        %6 = irdl.base @sdy::@sharding
        irdl.attributes {"out_sharding" = %6}
        irdl.results(result: %5)
      }
      irdl.operation @all_reduce {
        %0 = irdl.base "!builtin.tensor"
        %1 = irdl.base "!builtin.unranked_tensor"
        %2 = irdl.base "!builtin.memref"
        %3 = irdl.base "!builtin.unranked_memref"
        %4 = irdl.base "!builtin.vector"
        %5 = irdl.any_of(%0, %1, %2, %3, %4)
        irdl.operands(tensor: %5)
        %6 = irdl.base @sdy::@sharding
        %7 = irdl.base @sdy::@axis_ref_list
        irdl.attributes {"out_sharding" = %6, "reduction_axes" = %7}
        irdl.results(result: %5)
      }
      irdl.operation @reduce_scatter {
        %0 = irdl.base "!builtin.tensor"
        %1 = irdl.base "!builtin.unranked_tensor"
        %2 = irdl.base "!builtin.memref"
        %3 = irdl.base "!builtin.unranked_memref"
        %4 = irdl.base "!builtin.vector"
        %5 = irdl.any_of(%0, %1, %2, %3, %4)
        irdl.operands(tensor: %5)
        %6 = irdl.base @sdy::@sharding
        %7 = irdl.base @sdy::@list_of_axis_ref_lists
        irdl.attributes {"out_sharding" = %6, "reduce_scatter_axes" = %7}
        irdl.results(result: %5)
      }
      irdl.operation @sharded_to_unreduced {
        %0 = irdl.base "!builtin.tensor"
        %1 = irdl.base "!builtin.unranked_tensor"
        %2 = irdl.base "!builtin.memref"
        %3 = irdl.base "!builtin.unranked_memref"
        %4 = irdl.base "!builtin.vector"
        %5 = irdl.any_of(%0, %1, %2, %3, %4)
        irdl.operands(tensor: %5)
        %6 = irdl.base @sdy::@sharding
        %7 = irdl.base @sdy::@list_of_axis_ref_lists
        irdl.attributes {"out_sharding" = %6, "axes" = %7}
        irdl.results(result: %5)
      }
      irdl.operation @replicated_to_unreduced {
        %0 = irdl.base "!builtin.tensor"
        %1 = irdl.base "!builtin.unranked_tensor"
        %2 = irdl.base "!builtin.memref"
        %3 = irdl.base "!builtin.unranked_memref"
        %4 = irdl.base "!builtin.vector"
        %5 = irdl.any_of(%0, %1, %2, %3, %4)
        irdl.operands(tensor: %5)
        %6 = irdl.base @sdy::@sharding
        %7 = irdl.base @sdy::@axis_ref_list
        irdl.attributes {"out_sharding" = %6, "axes" = %7}
        irdl.results(result: %5)
      }
    }
  }
  module {
    irdl.dialect @sdy {
      irdl.operation @mesh {
        %0 = irdl.base "#builtin.string"
        %1 = irdl.any
        irdl.attributes {"sym_name" = %0, "mesh" = %1}
      }
    }
  }
}
