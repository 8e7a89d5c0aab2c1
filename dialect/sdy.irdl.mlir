// The sdy dialect in IRDL, emitted from its Python declaration by `python -m sdy.dialect.irdl_file`.
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
        %1 = irdl.any
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
        %1 = irdl.base "#builtin.integer"
        %2 = irdl.base "#builtin.integer"
        %3 = irdl.base "#builtin.unit"
        %4 = irdl.any_of(%2, %3)
        irdl.parameters(axes: %0, is_closed: %1, priority: %4)
      }
      irdl.attribute @sharding {
        %0 = irdl.base @sdy::@mesh
        %1 = irdl.base "#builtin.symbol_ref"
        %2 = irdl.any_of(%0, %1)
        %3 = irdl.base "#builtin.array"
        %4 = irdl.base "#builtin.array"
        %5 = irdl.base "#builtin.array"
        %6 = irdl.base "#builtin.integer"
        irdl.parameters(mesh_or_ref: %2, dim_shardings: %3, replicated_axes: %4, unreduced_axes: %5, reduction_op: %6)
      }
      irdl.attribute @sharding_per_value {
        %0 = irdl.base "#builtin.array"
        irdl.parameters(shardings: %0)
      }
      irdl.attribute @dim_mapping {
        %0 = irdl.any
        irdl.parameters(factor_indices: %0)
      }
      irdl.attribute @tensor_mapping {
        %0 = irdl.base "#builtin.array"
        irdl.parameters(dim_mappings: %0)
      }
      irdl.attribute @op_sharding_rule {
        %0 = irdl.any
        %1 = irdl.base "#builtin.array"
        %2 = irdl.base "#builtin.array"
        %3 = irdl.any
        %4 = irdl.any
        %5 = irdl.any
        %6 = irdl.any
        %7 = irdl.base "#builtin.integer"
        irdl.parameters(factor_sizes: %0, operand_mappings: %1, result_mappings: %2, reduction_factors: %3, need_replication_factors: %4, permutation_factors: %5, blocked_propagation_factors: %6, is_custom_rule: %7)
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
        %0 = irdl.base "#builtin.integer"
        %1 = irdl.base "#builtin.integer"
        irdl.parameters(type: %0, index: %1)
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
        %2 = irdl.any
        irdl.results(result: %2)
      }
      irdl.operation @reshard {
        %0 = irdl.any
        irdl.operands(input: %0)
        %1 = irdl.base @sdy::@sharding
        irdl.attributes {"sharding" = %1}
        %2 = irdl.any
        irdl.results(result: %2)
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
        %1 = irdl.any
        irdl.results(result: %1)
      }
      irdl.operation @func_data_flow_edge {
        %0 = irdl.any
        irdl.operands(input: %0)
        %1 = irdl.any
        irdl.results(result: %1)
      }
      irdl.operation @propagation_barrier {
        %0 = irdl.base "!builtin.tensor"
        irdl.operands(input: %0)
        %1 = irdl.base "#builtin.integer"
        irdl.attributes {"allowed_direction" = %1}
        %2 = irdl.base "!builtin.tensor"
        irdl.results(result: %2)
      }
      irdl.operation @named_computation {
        %0 = irdl.any
        irdl.operands(operands_: variadic %0)
        %1 = irdl.base "#builtin.string"
        irdl.attributes {"name" = %1}
        %2 = irdl.any
        irdl.results(results_: variadic %2)
        %3 = irdl.region
        irdl.regions(body: %3)
      }
      irdl.operation @manual_computation {
        %0 = irdl.any
        irdl.operands(operands_: variadic %0)
        %1 = irdl.base @sdy::@sharding_per_value
        %2 = irdl.base @sdy::@sharding_per_value
        %3 = irdl.base @sdy::@manual_axes
        irdl.attributes {"in_shardings" = %1, "out_shardings" = %2, "manual_axes" = %3}
        %4 = irdl.any
        irdl.results(results_: variadic %4)
        %5 = irdl.region
        irdl.regions(body: %5)
      }
      irdl.operation @return {
        %0 = irdl.any
        irdl.operands(results_: variadic %0)
      }
      irdl.operation @all_gather {
        %0 = irdl.any
        irdl.operands(tensor: %0)
        %1 = irdl.base @sdy::@list_of_axis_ref_lists
        %2 = irdl.base @sdy::@sharding
        irdl.attributes {"gathering_axes" = %1, "out_sharding" = %2}
        %3 = irdl.any
        irdl.results(result: %3)
      }
      irdl.operation @all_slice {
        %0 = irdl.any
        irdl.operands(tensor: %0)
        %1 = irdl.base @sdy::@list_of_axis_ref_lists
        %2 = irdl.base @sdy::@sharding
        irdl.attributes {"slicing_axes" = %1, "out_sharding" = %2}
        %3 = irdl.any
        irdl.results(result: %3)
      }
      irdl.operation @all_to_all {
        %0 = irdl.any
        irdl.operands(tensor: %0)
        %1 = irdl.base @sdy::@all_to_all_param_list
        %2 = irdl.base @sdy::@sharding
        irdl.attributes {"params" = %1, "out_sharding" = %2}
        %3 = irdl.any
        irdl.results(result: %3)
      }
      irdl.operation @collective_permute {
        %0 = irdl.any
        irdl.operands(tensor: %0)
        %1 = irdl.base @sdy::@sharding
        irdl.attributes {"out_sharding" = %1}
        %2 = irdl.any
        irdl.results(result: %2)
      }
      irdl.operation @all_reduce {
        %0 = irdl.any
        irdl.operands(tensor: %0)
        %1 = irdl.base @sdy::@axis_ref_list
        %2 = irdl.base @sdy::@sharding
        irdl.attributes {"reduction_axes" = %1, "out_sharding" = %2}
        %3 = irdl.any
        irdl.results(result: %3)
      }
      irdl.operation @reduce_scatter {
        %0 = irdl.any
        irdl.operands(tensor: %0)
        %1 = irdl.base @sdy::@list_of_axis_ref_lists
        %2 = irdl.base @sdy::@sharding
        irdl.attributes {"reduce_scatter_axes" = %1, "out_sharding" = %2}
        %3 = irdl.any
        irdl.results(result: %3)
      }
      irdl.operation @sharded_to_unreduced {
        %0 = irdl.any
        irdl.operands(tensor: %0)
        %1 = irdl.base @sdy::@list_of_axis_ref_lists
        %2 = irdl.base @sdy::@sharding
        irdl.attributes {"axes" = %1, "out_sharding" = %2}
        %3 = irdl.any
        irdl.results(result: %3)
      }
      irdl.operation @replicated_to_unreduced {
        %0 = irdl.any
        irdl.operands(tensor: %0)
        %1 = irdl.base @sdy::@axis_ref_list
        %2 = irdl.base @sdy::@sharding
        irdl.attributes {"axes" = %1, "out_sharding" = %2}
        %3 = irdl.any
        irdl.results(result: %3)
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
