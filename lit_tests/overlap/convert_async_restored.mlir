// RUN: sdy-opt %s --sdy-convert-async=to=restored --split-input-file | filecheck %s
// RUN: sdy-opt %s --sdy-convert-async=to=restored --split-input-file 2>&1 | filecheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %[[S:.*]] = hlo_async.start(%arg0) thread "side"
// CHECK-NEXT:      stablehlo.tanh %{{.*}} {tag} : tensor<8xf32>
// CHECK:         %[[U:.*]] = hlo_async.update %[[S]]
// CHECK-NEXT:    hlo_async.done %[[U]]
module attributes {sdy.asynchronous = [["stablehlo.tanh", "f.py", "1", "2"]]} {
  func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.tanh %a {tag, sdy.asynchronous = {contexts = [], number = 0 : i64, thread = "side", updates = 1 : i64}} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// Two ops instead of one, and none.
// REMARK: f.py:1:2: remark: 'stablehlo.tanh' stays synchronous: it has become 2 ops
// REMARK: f.py:3:4: remark: 'stablehlo.dot' stays synchronous: the partitioner has made other ops of it
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    stablehlo.tanh %arg0 : tensor<8xf32>
// CHECK-NEXT:    stablehlo.tanh %{{.*}} : tensor<8xf32>
module attributes {sdy.asynchronous = [["stablehlo.tanh", "f.py", "1", "2"], ["stablehlo.dot", "f.py", "3", "4"]]} {
  func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.tanh %a {sdy.asynchronous = {contexts = [], number = 0 : i64, thread = "main", updates = 0 : i64}} : tensor<8xf32>
    %1 = stablehlo.tanh %0 {sdy.asynchronous = {contexts = [], number = 0 : i64, thread = "main", updates = 0 : i64}} : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}

// -----

// What stood apart does again: the done goes to the first op that uses it, or holds one that does.
// CHECK-LABEL: func.func @late
// CHECK-NEXT:    %[[S:.*]] = hlo_async.start(%arg0)
// CHECK-NEXT:      stablehlo.tanh
// CHECK:         %[[U:.*]] = hlo_async.update %[[S]]
// CHECK-NEXT:    stablehlo.negate
// CHECK-NEXT:    %[[D:.*]] = hlo_async.done %[[U]]
// CHECK-NEXT:    "stablehlo.if"(%arg1) ({
// CHECK-NEXT:      stablehlo.return %[[D]]
// CHECK:         stablehlo.add %[[D]]
module attributes {sdy.asynchronous = [["stablehlo.tanh", "f.py", "1", "2"]]} {
  func.func @late(%a: tensor<8xf32>, %p: tensor<i1>) -> tensor<8xf32> {
    %0 = stablehlo.tanh %a {sdy.asynchronous = {contexts = [], is_late, number = 0 : i64, thread = "main", updates = 1 : i64}} : tensor<8xf32>
    %1 = stablehlo.negate %a : tensor<8xf32>
    %2 = "stablehlo.if"(%p) ({
      stablehlo.return %0 : tensor<8xf32>
    }, {
      stablehlo.return %1 : tensor<8xf32>
    }) : (tensor<i1>) -> tensor<8xf32>
    %3 = stablehlo.add %0, %2 : tensor<8xf32>
    return %3 : tensor<8xf32>
  }
}
