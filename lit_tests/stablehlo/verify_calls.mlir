// Calls of what is defined elsewhere: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// With layouts.
func.func @custom_call(%arg0: tensor<2x3xf32>) {
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// Layouts of the operands only.
func.func @custom_call_layouts(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(custom_call_layouts)}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", operand_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// A layout for each operand.
func.func @custom_call_layouts_2(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(custom_call_layouts)}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", operand_layouts = [], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// A dimension twice.
func.func @custom_call_layouts_3(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(custom_call_layouts)}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", operand_layouts = [dense<[1, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// A result that is the operand.
func.func @custom_call_aliased(%arg0: tensor<2x3xf32>) {
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// No such operand.
func.func @custom_call_aliases(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(custom_call_aliases)}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// No such result.
func.func @custom_call_aliases_2(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(custom_call_aliases)}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// Of another type.
func.func @custom_call_aliases_3(%arg0: tensor<3x2xf32>) {
  // expected-error@+1 {{(custom_call_aliases)}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return
}

// A dictionary with version 4.
func.func @custom_call_typed(%arg0: tensor<2x3xf32>) {
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], backend_config = {a = 1 : i32}, api_version = 4 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// A dictionary without.
func.func @custom_call_i4(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(custom_call_i4)}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], backend_config = {a = 1 : i32}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// A string with it.
func.func @custom_call_i4_2(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(custom_call_i4)}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], backend_config = "a", api_version = 4 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// A buffer from nowhere.
func.func @custom_call_buffers(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(custom_call_buffers)}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f"} : (tensor<2x3xf32>) -> memref<2xf32>
  return
}

func.func private @twice(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// The types are those of the function.
func.func @composite(%arg0: tensor<2xf32>) {
  %0 = "stablehlo.composite"(%arg0) {name = "mine.twice", decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// A name without a namespace.
func.func @composite_c1(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{(composite_c1)}}
  %0 = "stablehlo.composite"(%arg0) {name = "twice", decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// No such function.
func.func @composite_c2(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{(composite_c2)}}
  %0 = "stablehlo.composite"(%arg0) {name = "mine.twice", decomposition = @thrice} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// Compatible operands are not enough.
func.func @composite_c3(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(composite_c3)}}
  %0 = "stablehlo.composite"(%arg0) {name = "mine.twice", decomposition = @twice} : (tensor<?xf32>) -> tensor<2xf32>
  return
}

// Nor are compatible results.
func.func @composite_c4(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{(composite_c4)}}
  %0 = "stablehlo.composite"(%arg0) {name = "mine.twice", decomposition = @twice} : (tensor<2xf32>) -> tensor<?xf32>
  return
}
