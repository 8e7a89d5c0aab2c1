// RUN: sdy-opt %s --verify-roundtrip | filecheck %s
// RUN: sdy-opt %s --mlir-print-op-generic | sdy-opt | filecheck %s
// RUN: sdy-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: sdy-opt %s --emit-bytecode | sdy-opt | filecheck %s
// RUN: sdy-opt %s --canonicalize --cse --symbol-dce --inline | filecheck %s
// RUN: sdy-opt %s --mlir-print-irdl | filecheck %s --check-prefix=IRDL
// RUN: sdy-opt %s --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s --check-prefix=PLACE

// Two operands, an update, a context.
// CHECK-LABEL: func.func @chain
// PLACE-LABEL: func.func @chain
func.func @chain(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  // CHECK-NEXT: %[[S:.*]] = hlo_async.start(%arg0, %arg1) thread "main" (%[[X:.*]]: tensor<64xf32>, %[[Y:.*]]: tensor<64xf32>) {
  // GENERIC: "hlo_async.start"(%{{.*}}, %{{.*}}) <{thread = "main"}> ({
  // GENERIC-NEXT: ^bb0(%{{.*}}: tensor<64xf32>, %{{.*}}: tensor<64xf32>):
  // IRDL: operandSegmentSizes = array<i32: 2, 0, {{.*}}thread = "main"
  %s = hlo_async.start(%a, %b) thread "main" (%x: tensor<64xf32>, %y: tensor<64xf32>) {
    // CHECK-NEXT: %[[R:.*]] = stablehlo.add %[[X]], %[[Y]] : tensor<64xf32>
    // PLACE: stablehlo.add {{.*}} loc("{{.*}}hlo_async.mlir":20:10)
    %0 = stablehlo.add %x, %y : tensor<64xf32>
    // CHECK-NEXT: hlo_async.return %[[R]] : tensor<64xf32>
    hlo_async.return %0 : tensor<64xf32>
  // CHECK-NEXT: } : (tensor<64xf32>, tensor<64xf32>) -> !hlo_async.bundle<[tensor<64xf32>, tensor<64xf32>], [tensor<64xf32>], [tensor<i32>]>
  } : (tensor<64xf32>, tensor<64xf32>) -> !hlo_async.bundle<[tensor<64xf32>, tensor<64xf32>], [tensor<64xf32>], [tensor<i32>]>
  // CHECK-NEXT: %[[U:.*]] = hlo_async.update %[[S]] : !hlo_async.bundle<[tensor<64xf32>, tensor<64xf32>], [tensor<64xf32>], [tensor<i32>]>
  // GENERIC: "hlo_async.update"(%{{.*}}) : (!hlo_async.bundle<[tensor<64xf32>, tensor<64xf32>], [tensor<64xf32>], [tensor<i32>]>) -> !hlo_async.bundle<
  %u = hlo_async.update %s : !hlo_async.bundle<[tensor<64xf32>, tensor<64xf32>], [tensor<64xf32>], [tensor<i32>]>
  // CHECK-NEXT: %[[D:.*]] = hlo_async.done %[[U]] : !hlo_async.bundle<[tensor<64xf32>, tensor<64xf32>], [tensor<64xf32>], [tensor<i32>]> -> tensor<64xf32>
  // GENERIC: "hlo_async.done"(%{{.*}}) : (!hlo_async.bundle<[tensor<64xf32>, tensor<64xf32>], [tensor<64xf32>], [tensor<i32>]>) -> tensor<64xf32>
  // PLACE: hlo_async.done {{.*}} loc("{{.*}}hlo_async.mlir":31:8)
  %d = hlo_async.done %u : !hlo_async.bundle<[tensor<64xf32>, tensor<64xf32>], [tensor<64xf32>], [tensor<i32>]> -> tensor<64xf32>
  // CHECK-NEXT: return %[[D]]
  return %d : tensor<64xf32>
}

// No operands; the thread that is meant when none is written; the name of the computation. Used or not, all stay.
// CHECK-LABEL: func.func @unused
func.func @unused() {
  // CHECK-NEXT: %[[S:.*]] = hlo_async.start() thread "main" computation "count" () {
  // GENERIC: "hlo_async.start"() <{computation = "count", thread = "main"}> ({
  %s = hlo_async.start() computation "count" () {
    // CHECK-NEXT: stablehlo.iota
    %0 = stablehlo.iota dim = 0 : tensor<4xi32>
    hlo_async.return %0 : tensor<4xi32>
  // CHECK: } {tag = "t"} : () -> !hlo_async.bundle<[], [tensor<4xi32>], []>
  } {tag = "t"} : () -> !hlo_async.bundle<[], [tensor<4xi32>], []>
  // CHECK-NEXT: hlo_async.done %[[S]] {tag} : !hlo_async.bundle<[], [tensor<4xi32>], []> -> tensor<4xi32>
  // GENERIC: "hlo_async.done"(%{{.*}}) {tag} : (!hlo_async.bundle<[], [tensor<4xi32>], []>) -> tensor<4xi32>
  %d = hlo_async.done %s {tag} : !hlo_async.bundle<[], [tensor<4xi32>], []> -> tensor<4xi32>
  return
}

// Several results, another thread; two equal ones are two.
// CHECK-LABEL: func.func @results
func.func @results(%a: tensor<4xf32>, %b: tensor<2xi32>) -> (tensor<4xf32>, tensor<2xi32>) {
  // CHECK-NEXT: %[[S:.*]] = hlo_async.start(%arg0, %arg1) thread "parallel"
  // CHECK:      %[[D:.*]]:2 = hlo_async.done %[[S]] : {{.*}} -> (tensor<4xf32>, tensor<2xi32>)
  %s = hlo_async.start(%a, %b) thread "parallel" (%x: tensor<4xf32>, %y: tensor<2xi32>) {
    %0:2 = stablehlo.custom_call @swap(%x, %y) : (tensor<4xf32>, tensor<2xi32>) -> (tensor<4xf32>, tensor<2xi32>)
    hlo_async.return %0#0, %0#1 : tensor<4xf32>, tensor<2xi32>
  } : (tensor<4xf32>, tensor<2xi32>) -> !hlo_async.bundle<[tensor<4xf32>, tensor<2xi32>], [tensor<4xf32>, tensor<2xi32>], []>
  %d:2 = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>, tensor<2xi32>], [tensor<4xf32>, tensor<2xi32>], []> -> (tensor<4xf32>, tensor<2xi32>)
  // CHECK: hlo_async.start(%arg0, %arg1) thread "parallel"
  %t = hlo_async.start(%a, %b) thread "parallel" (%x: tensor<4xf32>, %y: tensor<2xi32>) {
    %0:2 = stablehlo.custom_call @swap(%x, %y) : (tensor<4xf32>, tensor<2xi32>) -> (tensor<4xf32>, tensor<2xi32>)
    hlo_async.return %0#0, %0#1 : tensor<4xf32>, tensor<2xi32>
  } : (tensor<4xf32>, tensor<2xi32>) -> !hlo_async.bundle<[tensor<4xf32>, tensor<2xi32>], [tensor<4xf32>, tensor<2xi32>], []>
  %e:2 = hlo_async.done %t : !hlo_async.bundle<[tensor<4xf32>, tensor<2xi32>], [tensor<4xf32>, tensor<2xi32>], []> -> (tensor<4xf32>, tensor<2xi32>)
  // CHECK: return %[[D]]#0, %[[D]]#1
  return %d#0, %d#1 : tensor<4xf32>, tensor<2xi32>
}

// An operation without results; a call stays one, whatever it calls.
// CHECK-LABEL: func.func @calls
func.func @calls(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK:      hlo_async.return{{$}}
  // CHECK-NEXT: } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [], []>
  %s = hlo_async.start(%a) (%x: tensor<4xf32>) {
    stablehlo.custom_call @log(%x) {has_side_effect = true} : (tensor<4xf32>) -> ()
    hlo_async.return
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [], []>
  // CHECK-NEXT: hlo_async.done %{{.*}} : !hlo_async.bundle<[tensor<4xf32>], [], []> -> ()
  hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [], []> -> ()
  // CHECK:      call @identity
  // CHECK-NEXT: hlo_async.return
  %t = hlo_async.start(%a) (%x: tensor<4xf32>) {
    %0 = func.call @identity(%x) : (tensor<4xf32>) -> tensor<4xf32>
    hlo_async.return %0 : tensor<4xf32>
  } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
  %d = hlo_async.done %t : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  return %d : tensor<4xf32>
}
// CHECK: func.func private @identity
func.func private @identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
