// The hlo_async dialect in IRDL, emitted from its Python declaration by `python -m sdy.dialect.irdl_loading`.
module {
  irdl.dialect @hlo_async {
    irdl.type @bundle {
      %0 = irdl.base "#builtin.array"
      %1 = irdl.base "#builtin.array"
      %2 = irdl.base "#builtin.array"
      irdl.parameters(operands: %0, results: %1, contexts: %2)
    }
    irdl.operation @start {
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
      %16 = irdl.base @hlo_async::@bundle
      irdl.results(bundle: %16)
      %17 = irdl.base "#builtin.string"
      irdl.attributes {"thread" = %17}
      %18 = irdl.region with size 1
      irdl.regions(body: %18)
    }
    irdl.operation @update {
      %0 = irdl.base @hlo_async::@bundle
      irdl.operands(bundle: %0)
      irdl.results(result: %0)
    }
    irdl.operation @done {
      %0 = irdl.base @hlo_async::@bundle
      irdl.operands(bundle: %0)
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
      %16 = irdl.any
      irdl.results(results_0: variadic %1, results_1: variadic %2, results_2: variadic %3, results_3: variadic %4, results_4: variadic %5, results_5: variadic %6, results_6: variadic %7, results_7: variadic %8, results_8: variadic %9, results_9: variadic %10, results_10: variadic %11, results_11: variadic %12, results_12: variadic %13, results_13: variadic %14, results_14: variadic %15, results_15: variadic %16)
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
      irdl.operands(values0: variadic %0, values1: variadic %1, values2: variadic %2, values3: variadic %3, values4: variadic %4, values5: variadic %5, values6: variadic %6, values7: variadic %7, values8: variadic %8, values9: variadic %9, values10: variadic %10, values11: variadic %11, values12: variadic %12, values13: variadic %13, values14: variadic %14, values15: variadic %15)
    }
  }
}
