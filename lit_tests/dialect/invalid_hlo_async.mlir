// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// The rules of asynchronous operations, one at a time.

func.func @operand_types(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{takes operands of types (tensor<4xf32>), but its bundle takes (tensor<8xf32>)}}
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = stablehlo.abs %x : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<4xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<8xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

func.func @arguments(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has block arguments of types (tensor<4xf32>, tensor<4xf32>), but its bundle takes (tensor<4xf32>)}}
  %s = hlo_async.start(%a) (%x: tensor<4xf32>, %y: tensor<4xf32>) {
    %0 = stablehlo.add %x, %y : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

func.func @returned_types(%a: tensor<4xf32>) {
  // expected-error @+1 {{returns types (tensor<4xf32>), but its bundle gives (tensor<4xf32>, tensor<4xf32>)}}
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = stablehlo.abs %x : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>, tensor<4xf32>], []>
  %d:2 = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>, tensor<4xf32>], []> -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @done_types(%a: tensor<4xf32>) {
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = stablehlo.abs %x : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  // expected-error @+1 {{has results of types (tensor<8xf32>), but its bundle gives (tensor<4xf32>)}}
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<8xf32>
  return
}

// -----

func.func @update_type(%a: tensor<4xf32>) {
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = stablehlo.abs %x : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  // expected-error @+1 {{'hlo_async.update' op expected '!hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>' but got '!hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], [tensor<i32>]>'}}
  %u = "hlo_async.update"(%s) : (!hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], [tensor<i32>]>
  %d = hlo_async.done %u : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], [tensor<i32>]> -> tensor<4xf32>
  return
}

// -----

func.func @two_operations(%a: tensor<4xf32>) {
  // expected-error @+1 {{has 2 operations in its body besides 'hlo_async.return', expected one}}
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = stablehlo.abs %x : tensor<4xf32>
    %1 = stablehlo.negate %0 : tensor<4xf32>
    hlo_async.return %1 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return
}

// -----

func.func @no_operation(%a: tensor<4xf32>) {
  // expected-error @+1 {{has 0 operations in its body besides 'hlo_async.return', expected one}}
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    hlo_async.return %x : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return
}

// -----

func.func @other_value_returned(%a: tensor<4xf32>) {
  // expected-error @+1 {{has a body that returns something else than all results of 'stablehlo.abs', in order}}
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = stablehlo.abs %x : tensor<4xf32>
    hlo_async.return %x : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return
}

// -----

func.func @other_terminator(%a: tensor<4xf32>) {
  // expected-error @+1 {{has a body that ends with 'stablehlo.return', expected 'hlo_async.return'}}
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = stablehlo.abs %x : tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return
}

// -----

func.func @constant() {
  // expected-error @+1 {{starts a constant, 'stablehlo.constant', which takes no time; use it directly}}
  %s = hlo_async.start() () {
    %0 = stablehlo.constant dense<1.0> : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : () -> !hlo_async.bundle<[], [tensor<4xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[], [tensor<4xf32>], []> -> tensor<4xf32>
  return
}

// -----

func.func @asynchronous_itself(%a: tensor<4xf32>) {
  // expected-error @+1 {{starts 'stablehlo.async_start', which is asynchronous already; start the op in it}}
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = "stablehlo.async_start"(%x) ({
    ^bb0(%y: tensor<4xf32>):
      %1 = "stablehlo.slice"(%y) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
    hlo_async.return %0 : !stablehlo.future<tensor<2xf32>>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<2xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<2xf32>], []> -> tensor<2xf32>
  return
}

// -----

func.func @nested(%a: tensor<4xf32>, %i: tensor<i32>) {
  %s = hlo_async.start(%a, %i) (%x: tensor<4xf32>, %j: tensor<i32>) {
    %0 = "stablehlo.case"(%j) ({
      // expected-error @+1 {{stands in another 'hlo_async.start'; an asynchronous operation holds no other one}}
      %t = hlo_async.start(%x) (%y: tensor<4xf32>) {
        %1 = stablehlo.abs %y : tensor<4xf32>
        hlo_async.return %1 : tensor<4xf32>
      } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
      %e = hlo_async.done %t : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
      stablehlo.return %e : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>, tensor<i32>) -> !hlo_async.bundle<[tensor<4xf32>, tensor<i32>], [tensor<4xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>, tensor<i32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return
}

// -----

func.func @value_from_outside(%a: tensor<4xf32>) {
  // expected-note @+1 {{required by region isolation constraints}}
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    // expected-error @+1 {{using value defined outside the region}}
    %0 = stablehlo.add %x, %a : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return
}

// -----

func.func @never_done(%a: tensor<4xf32>) {
  // expected-error @+1 {{is never done; end it with a 'hlo_async.done'}}
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = stablehlo.abs %x : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  return
}

// -----

func.func @update_never_done(%a: tensor<4xf32>) {
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = stablehlo.abs %x : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  // expected-error @+1 {{'hlo_async.update' op is never done}}
  %u = hlo_async.update %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  return
}

// -----

func.func @two_dones(%a: tensor<4xf32>) {
  // expected-error @+1 {{has 2 uses, expected one, by 'hlo_async.update' or 'hlo_async.done'; start it once for each}}
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = stablehlo.abs %x : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  %e = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return
}

// -----

func.func @returned_bundle(%a: tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> {
  // expected-error @+1 {{is used by 'func.return', expected 'hlo_async.update' or 'hlo_async.done'}}
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = stablehlo.abs %x : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  return %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
}

// -----

func.func @other_block(%a: tensor<4xf32>, %i: tensor<i32>) {
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = stablehlo.abs %x : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  %0 = "stablehlo.case"(%i) ({
    // expected-error @+1 {{takes a bundle of another block; a chain has to stay in one}}
    %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
    stablehlo.return %d : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @block_argument(%s: !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>) -> tensor<4xf32> {
  // expected-error @+1 {{takes a bundle that is a block argument, expected one of a 'hlo_async.start' of the same block}}
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

func.func @other_op(%a: tensor<4xf32>) -> tensor<4xf32> {
  %s = builtin.unrealized_conversion_cast %a : tensor<4xf32> to !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  // expected-error @+1 {{takes a bundle of 'builtin.unrealized_conversion_cast', expected one of a 'hlo_async.start' or 'hlo_async.update'}}
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

func.func @tensor_for_bundle(%a: tensor<4xf32>) {
  // expected-error @+1 {{'hlo_async.done' op expected base type 'hlo_async.bundle' but got 'builtin.tensor'}}
  %d = hlo_async.done %a : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @future_for_tensor(%a: !stablehlo.future<tensor<4xf32>>) {
  %s = hlo_async.start(%a) (%x: !stablehlo.future<tensor<4xf32>>) {
    %0 = "stablehlo.async_done"(%x) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (!stablehlo.future<tensor<4xf32>>) -> !hlo_async.bundle<[!stablehlo.future<tensor<4xf32>>], [tensor<4xf32>], []>
  // expected-error @+1 {{has a bundle with a value of type !stablehlo.future<tensor<4xf32>>, expected tensors, tokens or tuples of them}}
  %d = hlo_async.done %s : !hlo_async.bundle<[!stablehlo.future<tensor<4xf32>>], [tensor<4xf32>], []> -> tensor<4xf32>
  return
}

// -----

func.func @no_type(%a: tensor<4xf32>) {
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = stablehlo.abs %x : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [1 : i32], []>
  // expected-error @+1 {{has a bundle with an entry that is not a type: 1 : i32 is not a type}}
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [1 : i32], []> -> tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{expected base attribute 'builtin.array' but got 'builtin.string'}}
func.func private @no_list(!hlo_async.bundle<[tensor<4xf32>], "x", []>)

// -----

func.func @empty_region() {
  // expected-error @+1 {{expected region 0 to have 1 block(s) but got 0}}
  %s = "hlo_async.start"() ({}) : () -> !hlo_async.bundle<[], [], []>
  return
}

// -----

func.func @empty_thread(%a: tensor<4xf32>) {
  // expected-error @+1 {{has an empty name of a thread; leave it out}}
  %s = hlo_async.start(%a) thread "" (%x: tensor<4xf32>) {
    %0 = stablehlo.abs %x : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return
}

// -----

func.func @computation_is_a_string(%a: tensor<4xf32>) {
  // expected-error @+1 {{has an attribute 'computation' that is not a string: @f}}
  %s = "hlo_async.start"(%a) <{computation = @f}> ({
  ^bb0(%x: tensor<4xf32>):
    %0 = stablehlo.abs %x : tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return
}

// -----

func.func @return_elsewhere(%a: tensor<4xf32>) {
  // expected-error @+1 {{expects the parent op 'hlo_async.start'}}
  hlo_async.return
}

// -----

func.func @syntax(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected '->'}}
  %d = hlo_async.done %a : tensor<4xf32>
  return
}

// -----

func.func @unknown(%a: tensor<4xf32>) {
  // expected-error @+1 {{unknown op 'hlo_async.cancel'}}
  %d = hlo_async.cancel %a : tensor<4xf32>
  return
}
