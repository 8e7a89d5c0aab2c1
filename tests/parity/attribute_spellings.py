"""Attributes in odd spellings, and around them what they can stand in."""

ATTRIBUTES = [
    '#sdy.manual_axes{"a"}',
    '#sdy.manual_axes<{"a"}>',
    '#sdy<manual_axes {"a"} // )\n >',
    "#sdy.dim_mappingij",
    "#sdy.dim_mapping ij",
    "#sdy<dim_mapping ij>",
    "#sdy.dim_mapping",
    "#sdy.edge_value_ref operand-0",
    "#sdy<sub_axis_info(1)2>",
    '#sdy<axis_ref "a":(1)2>',
    '#sdy<"a">',
    "#sdy.foo<>",
    "#sdy.mesh<[]> : i32",
    "#sdy.mesh<[]>:(i32) -> i32",
    "#sdy.mesh<[]> : x",
    "#sdy.",
    "#sdy",
    "#sdy.mesh<[]>1",
    "#sdy.sharding <@m, []>",
    "#sdy.sharding<@m, [] >",
    "#sdy.sharding<@m, []>x",
    "#sdy.sharding<@m, []>>",
    "#sdy <sharding<@m, []>>",
    "#sdy< sharding<@m, []> foo>",
    '#sdy<sharding<@m, []> ">" >',
    '#sdy.sharding<@m, // "a\n []>',
    '#sdy.sharding<@m, // "a>"\n []>',
    "#sdy.sharding<@m, // (a)>\n []>",
    "#sdy.sharding<@m, // (a)\n []>",
]
"""Attributes that stand alone; some end elsewhere than one would think, and some are none."""

AROUND = [
    "func.func private @f() attributes {{x = {}, y = 1 : i32}}\n",
    "#alias = {}\nfunc.func private @f() attributes {{x = #alias}}\n",
    '"sdy.mesh"() <{{mesh = #sdy.mesh<[]>, sym_name = "q"}}> {{x = {}}} : () -> ()\n',
    "sdy.mesh @n = <[]> {{a = [{}, 1 : i32]}}\n",
]

"""What such an attribute can stand in."""

ALIASES = """\
#mesh = #sdy.mesh<["a"=2, "b"=4]>
#axis = #sdy<axis_ref"a">
#sub = #sdy<sub_axis_info(1)2>
#dim = #sdy<dimension_sharding{"a"}>
#s = #sdy.sharding<@m, [{"a"}]>
#list = #sdy.sharding_per_value<[<@m, [{"a"}]>]>
#ma = #sdy<manual_axes{"a"}>
#al = #sdy<axis_ref_list{"b"}>
#ll = #sdy<list_of_axis_ref_lists[{"a"}]>
#p = #sdy<all_to_all_param{"a"}: 0->1>
#pl = #sdy<all_to_all_param_list[{"a"}: 0->1]>
#max = #sdy<mesh_axis"a"=2>
#dm = #sdy<dim_mapping i>
#tm = #sdy<tensor_mapping[i]>
#ev = #sdy<edge_value_ref operand-0>
#ap = #sdy<axis_to_propagation_details{"a" = operand-0 -> [result-0]}>
#st = #sdy<propagation_one_step{step-0 = [{"a" = operand-0 -> [result-0]}]}>
#int = 1 : i64
#sym = @m
#str = "n"
#c = dense<1.0> : tensor<8xf32>
sdy.mesh @m = <["a"=2, "b"=4]>
"""
FUNCTION = (
    'func.func @f(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}, '
    '%y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) {\n  OP\n  return\n}\n'
)
WITH_WHOLE_ATTRIBUTES = [
    '%0 = sdy.reshard %x #sdy.sharding<@m, [{"a"}]> : tensor<8xf32>',
    "%0 = sdy.sharding_constraint %x #s : tensor<8xf32>",
    "%0 = sdy.data_flow_edge %x sharding=#s : tensor<8xf32>",
    "%0 = sdy.data_flow_edge %x sharding=#sdy.sharding<@m, []> : tensor<8xf32>",
    "%0 = sdy.collective_permute %x out_sharding=#s : tensor<8xf32>",
    "%0 = sdy.all_slice #ll %x out_sharding=#s : tensor<8xf32>",
    "%0 = sdy.all_gather #ll %x out_sharding=<@m, [{}]> : tensor<8xf32>",
    "%0 = sdy.all_reduce #al %x out_sharding=#s : tensor<8xf32>",
    "%0 = sdy.all_reduce max #al %x out_sharding=#s : tensor<8xf32>",
    '%0 = sdy.all_to_all #pl %y out_sharding=<@m, [{}, {"a"}]> : tensor<8x8xf32>',
    '%0 = sdy.all_to_all [#p] %y out_sharding=<@m, [{}, {"a"}]> : tensor<8x8xf32>',
    "%0 = sdy.all_gather [#al] %x out_sharding=<@m, [{}]> : tensor<8xf32>",
    "%0 = sdy.all_gather [{#axis}] %x out_sharding=<@m, [{}]> : tensor<8xf32>",
    "%0 = sdy.reshard %x <@m, [#dim]> : tensor<8xf32>",
    "%0 = sdy.reshard %x <#mesh, [#dim]> : tensor<8xf32>",
    "%0 = sdy.reshard %x <mesh#mesh, [#dim]> : tensor<8xf32>",
    "%0 = sdy.reshard %x <mesh #mesh, [{}]> : tensor<8xf32>",
    "%0 = sdy.reshard %x <#sym, [{}]> : tensor<8xf32>",
    "%0 = sdy.reshard %x <@m, [{#axis}]> : tensor<8xf32>",
    '%0 = sdy.reshard %x <@m, [{"b":#sub}]> : tensor<8xf32>',
    "%0 = sdy.reshard %x <@m, [{}], replicated={#axis}> : tensor<8xf32>",
    '%0 = sdy.reshard %x <@m, [{#sdy<axis_ref"a">}]> : tensor<8xf32>',
    '%0 = sdy.named_computation<"n">(%x) in_shardings=#list (%p: tensor<8xf32>) { sdy.return %p : tensor<8xf32> } : (tensor<8xf32>) -> tensor<8xf32>',
    '%0 = sdy.named_computation<"n">(%x) in_shardings=[#s] out_shardings=[#s] (%p: tensor<8xf32>) { sdy.return %p : tensor<8xf32> } : (tensor<8xf32>) -> tensor<8xf32>',
    "%0 = sdy.named_computation<#str>(%x) (%p: tensor<8xf32>) { sdy.return %p : tensor<8xf32> } : (tensor<8xf32>) -> tensor<8xf32>",
    "%0 = sdy.manual_computation(%x) in_shardings=[#s] out_shardings=[#s] manual_axes=#ma (%p: tensor<4xf32>) { sdy.return %p : tensor<4xf32> } : (tensor<8xf32>) -> tensor<8xf32>",
    "%0 = sdy.manual_computation(%x) in_shardings=[#s] out_shardings=[#s] manual_axes={#str} (%p: tensor<4xf32>) { sdy.return %p : tensor<4xf32> } : (tensor<8xf32>) -> tensor<8xf32>",
    "sdy.sharding_group %x group_id=#int : tensor<8xf32>",
    "%0 = sdy.constant #c",
    "%0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[#s]>} : tensor<8xf32>",
    "%0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[#sdy.sharding<@m, []>]>} : tensor<8xf32>",
    "%0 = stablehlo.negate %x {sdy.sharding_rule = #sdy.op_sharding_rule<(#tm)->(#tm) {i=8}>} : tensor<8xf32>",
    "%0 = stablehlo.negate %x {sdy.sharding_rule = #sdy.op_sharding_rule<([#dm])->([i]) {i=8}>} : tensor<8xf32>",
    "%0 = stablehlo.negate %x {sdy.propagation_edges = #sdy.propagation_edges<[#st]>} : tensor<8xf32>",
    "%0 = stablehlo.negate %x {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [#ap]}]>} : tensor<8xf32>",
    '%0 = stablehlo.negate %x {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"a" = #ev -> [#ev]}]}]>} : tensor<8xf32>',
    "%0 = stablehlo.negate %x {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{#axis = operand-0 -> [result-0]}]}]>} : tensor<8xf32>",
    '%0 = stablehlo.negate %x {a = #sdy.mesh<[#max]>, b = #sdy<all_to_all_param #al: 0->1>, c = #sdy<axis_ref "b":#sub>} : tensor<8xf32>',
    "%0 = sdy.reshard %x <@m, [{}], unreduced=#al> : tensor<8xf32>",
    "sdy.mesh @n = #mesh",
    "sdy.mesh @n = <[#max]>",
    'sdy.mesh @n = #sdy.mesh<["a"=2]>',
]
"""Ops with attributes as a whole where their stripped form would do."""
