// RUN: sdy-opt %s --sdy-place-collectives | filecheck %s

// What hlo_async starts is placed as well, with its updates, however many results it has.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<2xi32>)
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<2xi32>) -> (tensor<8xf32>, tensor<2xi32>) {
  // CHECK-NEXT: %[[S:.*]] = hlo_async.start(%[[A]], %[[B]])
  // CHECK:      %[[N:.*]] = stablehlo.negate %[[A]]
  // CHECK:      %[[D:.*]]:2 = hlo_async.done
  // CHECK-NEXT: stablehlo.add %[[D]]#0, %[[N]]
  %n = stablehlo.negate %arg0 : tensor<8xf32>
  %s = hlo_async.start(%arg0, %arg1) (%x: tensor<8xf32>, %y: tensor<2xi32>) {
    %0:2 = stablehlo.custom_call @two(%x, %y) : (tensor<8xf32>, tensor<2xi32>) -> (tensor<8xf32>, tensor<2xi32>)
    hlo_async.return %0#0, %0#1 : tensor<8xf32>, tensor<2xi32>
  } : (tensor<8xf32>, tensor<2xi32>) -> !hlo_async.bundle<[tensor<8xf32>, tensor<2xi32>], [tensor<8xf32>, tensor<2xi32>], []>
  %u = hlo_async.update %s : !hlo_async.bundle<[tensor<8xf32>, tensor<2xi32>], [tensor<8xf32>, tensor<2xi32>], []>
  %d:2 = hlo_async.done %u : !hlo_async.bundle<[tensor<8xf32>, tensor<2xi32>], [tensor<8xf32>, tensor<2xi32>], []> -> (tensor<8xf32>, tensor<2xi32>)
  %r = stablehlo.add %d#0, %n : tensor<8xf32>
  return %r, %d#1 : tensor<8xf32>, tensor<2xi32>
}

// What has effects keeps its place among other ops that have.
// CHECK-LABEL: func.func @no_results(
func.func @no_results(%arg0: tensor<8xf32>) {
  // CHECK-NEXT: hlo_async.start(%arg0)
  // CHECK:      hlo_async.done
  %s = hlo_async.start(%arg0) (%x: tensor<8xf32>) {
    stablehlo.custom_call @log(%x) {has_side_effect = true} : (tensor<8xf32>) -> ()
    hlo_async.return
  } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [], []>
  hlo_async.done %s : !hlo_async.bundle<[tensor<8xf32>], [], []> -> ()
  return
}

// CHECK-LABEL: func.func @effects(
func.func @effects(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: @first
  // CHECK: hlo_async.done
  // CHECK: @second
  // CHECK: %[[D:.*]] = hlo_async.done
  // CHECK-NEXT: @third(%[[D]])
  %s = hlo_async.start(%arg0) (%x: tensor<8xf32>) {
    stablehlo.custom_call @first(%x) {has_side_effect = true} : (tensor<8xf32>) -> ()
    hlo_async.return
  } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [], []>
  hlo_async.done %s : !hlo_async.bundle<[tensor<8xf32>], [], []> -> ()
  %t = hlo_async.start(%arg0) (%x: tensor<8xf32>) {
    %0 = stablehlo.custom_call @second(%x) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
    hlo_async.return %0 : tensor<8xf32>
  } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []>
  %d = hlo_async.done %t : !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []> -> tensor<8xf32>
  stablehlo.custom_call @third(%d) {has_side_effect = true} : (tensor<8xf32>) -> ()
  return %d : tensor<8xf32>
}
