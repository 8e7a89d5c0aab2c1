// The mpmd dialect in IRDL, emitted from its Python declaration by `python -m sdy.dialect.irdl_loading`.
module {
  irdl.dialect @mpmd {
    irdl.attribute @named_mesh {
      %0 = irdl.base "#builtin.string"
      %1 = irdl.any
      irdl.parameters(name: %0, mesh: %1)
    }
    irdl.attribute @topology {
      %0 = irdl.base "#builtin.array"
      irdl.parameters(meshes: %0)
    }
    irdl.attribute @user_origin {
      %0 = irdl.base "#builtin.string"
      %1 = irdl.base "#builtin.integer"
      irdl.parameters(user_name: %0, transpose_count: %1)
    }
    irdl.attribute @origin {
      %0 = irdl.base "#builtin.string"
      irdl.parameters(label: %0)
    }
    irdl.attribute @mesh_with_origins {
      %0 = irdl.base "#builtin.string"
      %1 = irdl.base "#builtin.array"
      irdl.parameters(mesh_name: %0, origins: %1)
    }
    irdl.attribute @meshes_with_origins {
      %0 = irdl.base "#builtin.array"
      irdl.parameters(meshes: %0)
    }
    irdl.attribute @reduction {
      %0 = irdl.is 0 : i64
      %1 = irdl.is 1 : i64
      %2 = irdl.is 2 : i64
      %3 = irdl.is 3 : i64
      %4 = irdl.is 4 : i64
      %5 = irdl.is 5 : i64
      %6 = irdl.is 6 : i64
      %7 = irdl.any_of(%0, %1, %2, %3, %4, %5, %6)
      irdl.parameters(kind: %7)
    }
    irdl.type @mesh_tensor {
      %0 = irdl.base "#builtin.string"
      %1 = irdl.base "!builtin.tensor"
      %2 = irdl.any
      %3 = irdl.base "#builtin.string"
      %4 = irdl.base "#builtin.unit"
      %5 = irdl.any_of(%3, %4)
      irdl.parameters(mesh_name: %0, tensor: %1, sharding: %2, memory_kind: %5)
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
      irdl.operands(tensors0: variadic %0, tensors1: variadic %1, tensors2: variadic %2, tensors3: variadic %3, tensors4: variadic %4, tensors5: variadic %5, tensors6: variadic %6, tensors7: variadic %7, tensors8: variadic %8, tensors9: variadic %9, tensors10: variadic %10, tensors11: variadic %11, tensors12: variadic %12, tensors13: variadic %13, tensors14: variadic %14, tensors15: variadic %15)
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
      %32 = irdl.base @mpmd::@user_origin
      irdl.attributes {"origin" = %32}
      %33 = irdl.region with size 1
      irdl.regions(region: %33)
    }
    irdl.operation @named_tensor {
      %0 = irdl.any
      irdl.operands(tensor: %0)
      %1 = irdl.base "#builtin.string"
      irdl.attributes {"name" = %1}
      irdl.results(result: %0)
    }
    irdl.operation @fragment {
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
      irdl.operands(inputs0: variadic %0, inputs1: variadic %1, inputs2: variadic %2, inputs3: variadic %3, inputs4: variadic %4, inputs5: variadic %5, inputs6: variadic %6, inputs7: variadic %7, inputs8: variadic %8, inputs9: variadic %9, inputs10: variadic %10, inputs11: variadic %11, inputs12: variadic %12, inputs13: variadic %13, inputs14: variadic %14, inputs15: variadic %15)
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
      %33 = irdl.base "#builtin.array"
      irdl.attributes {"mesh_name" = %32, "origin" = %33}
      %34 = irdl.region with size 1
      irdl.regions(region: %34)
    }
    irdl.operation @fragment_call {
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
      irdl.operands(tensors0: variadic %0, tensors1: variadic %1, tensors2: variadic %2, tensors3: variadic %3, tensors4: variadic %4, tensors5: variadic %5, tensors6: variadic %6, tensors7: variadic %7, tensors8: variadic %8, tensors9: variadic %9, tensors10: variadic %10, tensors11: variadic %11, tensors12: variadic %12, tensors13: variadic %13, tensors14: variadic %14, tensors15: variadic %15)
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
      %32 = irdl.base "#builtin.array"
      %33 = irdl.base "#builtin.string"
      %34 = irdl.base "#builtin.symbol_ref"
      irdl.attributes {"origin" = %32, "mesh_name" = %33, "callee" = %34}
    }
    irdl.operation @transfer {
      %0 = irdl.base @mpmd::@mesh_tensor
      irdl.operands(tensor: %0)
      %1 = irdl.base @mpmd::@mesh_tensor
      irdl.results(result: %1)
    }
    irdl.operation @assign {
      %0 = irdl.base "!builtin.tensor"
      irdl.operands(tensor: %0)
      %1 = irdl.base @mpmd::@mesh_tensor
      irdl.results(result: %1)
    }
    irdl.operation @unassign {
      %0 = irdl.base @mpmd::@mesh_tensor
      irdl.operands(tensor: %0)
      %1 = irdl.base "!builtin.tensor"
      irdl.results(result: %1)
    }
    irdl.operation @call {
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
      irdl.operands(tensors0: variadic %0, tensors1: variadic %1, tensors2: variadic %2, tensors3: variadic %3, tensors4: variadic %4, tensors5: variadic %5, tensors6: variadic %6, tensors7: variadic %7, tensors8: variadic %8, tensors9: variadic %9, tensors10: variadic %10, tensors11: variadic %11, tensors12: variadic %12, tensors13: variadic %13, tensors14: variadic %14, tensors15: variadic %15)
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
      %32 = irdl.base "#builtin.symbol_ref"
      irdl.attributes {"callee" = %32}
    }
    irdl.operation @for {
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
      irdl.operands(tensors0: variadic %0, tensors1: variadic %1, tensors2: variadic %2, tensors3: variadic %3, tensors4: variadic %4, tensors5: variadic %5, tensors6: variadic %6, tensors7: variadic %7, tensors8: variadic %8, tensors9: variadic %9, tensors10: variadic %10, tensors11: variadic %11, tensors12: variadic %12, tensors13: variadic %13, tensors14: variadic %14, tensors15: variadic %15)
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
      %32 = irdl.base "#builtin.integer"
      irdl.attributes {"iterations" = %32}
      %33 = irdl.region with size 1
      irdl.regions(region: %33)
    }
    irdl.operation @broadcast {
      %0 = irdl.any
      irdl.operands(tensor: %0)
      irdl.results(result: %0)
    }
    irdl.operation @reduce {
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
      irdl.operands(tensors0: variadic %0, tensors1: variadic %1, tensors2: variadic %2, tensors3: variadic %3, tensors4: variadic %4, tensors5: variadic %5, tensors6: variadic %6, tensors7: variadic %7, tensors8: variadic %8, tensors9: variadic %9, tensors10: variadic %10, tensors11: variadic %11, tensors12: variadic %12, tensors13: variadic %13, tensors14: variadic %14, tensors15: variadic %15)
      %16 = irdl.base "!builtin.tensor"
      irdl.results(result: %16)
      %17 = irdl.base @mpmd::@reduction
      irdl.attributes {"reduction" = %17}
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
  }
}
