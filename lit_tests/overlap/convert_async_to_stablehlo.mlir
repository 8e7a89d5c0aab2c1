// RUN: sdy-opt %s --sdy-convert-async='to=stablehlo keep-others=true' | filecheck %s
// RUN: sdy-opt %s --sdy-convert-async=to=stablehlo --verify-diagnostics

// What StableHLO can say is said with its ops; its context goes.
// CHECK-LABEL: func.func @gather
func.func @gather(%a: tensor<8xf32>) -> tensor<16xf32> {
  // CHECK-NEXT: %[[F:.*]] = "stablehlo.async_start"(%arg0) ({
  // CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<8xf32>):
  // CHECK-NEXT:   %[[Y:.*]] = "stablehlo.all_gather"(%[[X]])
  // CHECK-NEXT:   stablehlo.return %[[Y]] : tensor<16xf32>
  // CHECK-NEXT: }) {tag} : (tensor<8xf32>) -> !stablehlo.future<tensor<16xf32>>
  %s = hlo_async.start(%a) computation "gather" (%x: tensor<8xf32>) {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<16xf32>
    hlo_async.return %0 : tensor<16xf32>
  } {tag} : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<16xf32>], [tensor<i32>]>
  // CHECK-NEXT: "stablehlo.async_done"(%[[F]]) : (!stablehlo.future<tensor<16xf32>>) -> tensor<16xf32>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<8xf32>], [tensor<16xf32>], [tensor<i32>]> -> tensor<16xf32>
  return %d : tensor<16xf32>
}

// CHECK-LABEL: func.func @other_op
func.func @other_op(%a: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: hlo_async.start
  // expected-error @+1 {{starts 'stablehlo.abs', which StableHLO cannot start; 'keep-others' leaves it as it is}}
  %s = hlo_async.start(%a) (%x: tensor<8xf32>) {
    %0 = stablehlo.abs %x : tensor<8xf32>
    hlo_async.return %0 : tensor<8xf32>
  } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []> -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// CHECK-LABEL: func.func @updated
func.func @updated(%a: tensor<8xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: hlo_async.start
  // expected-error @+1 {{has an update, which StableHLO lacks}}
  %s = hlo_async.start(%a) (%x: tensor<8xf32>) {
    %0 = stablehlo.slice %x [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<4xf32>], []>
  %u = hlo_async.update %s : !hlo_async.bundle<[tensor<8xf32>], [tensor<4xf32>], []>
  %d = hlo_async.done %u : !hlo_async.bundle<[tensor<8xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// CHECK-LABEL: func.func @threaded
func.func @threaded(%a: tensor<8xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: hlo_async.start
  // expected-error @+1 {{is for thread "side", and StableHLO has no threads}}
  %s = hlo_async.start(%a) thread "side" (%x: tensor<8xf32>) {
    %0 = stablehlo.slice %x [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<4xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<8xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// CHECK-LABEL: func.func @variadic
func.func @variadic(%a: tensor<8xf32>, %b: tensor<4xf32>) -> (tensor<16xf32>, tensor<8xf32>) {
  // CHECK-NEXT: hlo_async.start
  // expected-error @+1 {{starts 'stablehlo.all_gather' with 2 operands and 2 results, and StableHLO starts it with one of each}}
  %s = hlo_async.start(%a, %b) (%x: tensor<8xf32>, %y: tensor<4xf32>) {
    %0:2 = "stablehlo.all_gather"(%x, %y) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>, tensor<4xf32>) -> (tensor<16xf32>, tensor<8xf32>)
    hlo_async.return %0#0, %0#1 : tensor<16xf32>, tensor<8xf32>
  } : (tensor<8xf32>, tensor<4xf32>) -> !hlo_async.bundle<[tensor<8xf32>, tensor<4xf32>], [tensor<16xf32>, tensor<8xf32>], []>
  %d:2 = hlo_async.done %s : !hlo_async.bundle<[tensor<8xf32>, tensor<4xf32>], [tensor<16xf32>, tensor<8xf32>], []> -> (tensor<16xf32>, tensor<8xf32>)
  return %d#0, %d#1 : tensor<16xf32>, tensor<8xf32>
}
