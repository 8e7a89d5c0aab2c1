// RUN: sdy-opt %s --sdy-insert-explicit-reshards=enable-full-version=true --split-input-file 2>/dev/null | filecheck %s
// RUN: sdy-opt %s --sdy-insert-explicit-reshards --split-input-file 2>/dev/null | filecheck %s --check-prefix=REDUCED

// What moves data for an asynchronous operation stands around it: its body holds one op.

// An operand that the op takes twice, sharded in two ways, becomes two; start, update and done keep their places.
// CHECK-LABEL: func.func @twice
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @twice(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[ROWS:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]>
  // CHECK-NEXT: %[[COLUMNS:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]>
  // CHECK-NEXT: %[[S:.*]] = hlo_async.start(%[[ROWS]], %[[COLUMNS]]) thread "side" computation "product" (%[[X:.*]]: tensor<8x8xf32>, %[[Y:.*]]: tensor<8x8xf32>) {
  // CHECK-NEXT:   %[[P:.*]] = stablehlo.dot %[[X]], %[[Y]]
  // CHECK-NEXT:   hlo_async.return %[[P]]
  // CHECK-NEXT: } {sdy.in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {"y"}]>]>, tag} : (tensor<8x8xf32>, tensor<8x8xf32>) -> !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], [tensor<i32>]>
  // CHECK-NEXT: stablehlo.tanh
  // CHECK-NEXT: %[[U:.*]] = hlo_async.update %[[S]] : !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], [tensor<i32>]>
  // CHECK-NEXT: hlo_async.done %[[U]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>}
  %s = hlo_async.start(%a) thread "side" computation "product" (%x: tensor<8x8xf32>) {
    %0 = stablehlo.dot %x, %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    hlo_async.return %0 : tensor<8x8xf32>
  } {tag, sdy.in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<8x8xf32>) -> !hlo_async.bundle<[tensor<8x8xf32>], [tensor<8x8xf32>], [tensor<i32>]>
  %1 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
  %u = hlo_async.update %s : !hlo_async.bundle<[tensor<8x8xf32>], [tensor<8x8xf32>], [tensor<i32>]>
  %d = hlo_async.done %u {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : !hlo_async.bundle<[tensor<8x8xf32>], [tensor<8x8xf32>], [tensor<i32>]> -> tensor<8x8xf32>
  %2 = stablehlo.add %1, %d {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// What is handed over has a list of shardings if each has one; the second operand has none.
// CHECK-LABEL: func.func @partly_known
sdy.mesh @mesh = <["x"=2]>
func.func @partly_known(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[ROWS:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]>
  // CHECK-NEXT: hlo_async.start(%[[ROWS]], %arg1)
  // CHECK:      } {tag} : (tensor<8x8xf32>, tensor<8x8xf32>) ->
  %s = hlo_async.start(%a, %b) (%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) {
    %0 = stablehlo.dot %x, %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    hlo_async.return %0 : tensor<8x8xf32>
  } {tag, sdy.in_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, [{}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], []>
  %d = hlo_async.done %s {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], []> -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// -----

// A partial product is added up behind the done.
// CHECK-LABEL:   func.func @partial
sdy.mesh @mesh = <["x"=2]>
func.func @partial(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[S:.*]] = hlo_async.start(%arg0, %arg1)
  // CHECK-NEXT:   stablehlo.dot
  // CHECK-NEXT:   hlo_async.return
  // CHECK-NEXT: } {sdy.in_shardings
  // CHECK-NEXT: %[[D:.*]] = hlo_async.done %[[S]] {sdy.sharding
  // CHECK-NEXT: %[[R:.*]] = sdy.all_reduce {"x"} %[[D]] out_sharding=<@mesh, [{}, {}]>
  // CHECK-NEXT: return %[[R]]
  %s = hlo_async.start(%a, %b) (%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) {
    %0 = stablehlo.dot %x, %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    hlo_async.return %0 : tensor<8x8xf32>
  } {sdy.in_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], []>
  %d = hlo_async.done %s {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], []> -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// -----

// In the other version of the pass, what the op leaves unreduced.
// REDUCED-LABEL: func.func @unreduced
sdy.mesh @mesh = <["x"=2]>
func.func @unreduced(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  // REDUCED-NEXT: %[[S:.*]] = hlo_async.start(%arg0, %arg1)
  // REDUCED:      %[[D:.*]] = hlo_async.done %[[S]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
  // REDUCED-NEXT: %[[R:.*]] = sdy.all_reduce {"x"} %[[D]] out_sharding=<@mesh, [{}, {}]>
  // REDUCED-NEXT: return %[[R]]
  %s = hlo_async.start(%a, %b) (%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) {
    %0 = stablehlo.dot %x, %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    hlo_async.return %0 : tensor<8x8xf32>
  } {sdy.in_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], []>
  %d = hlo_async.done %s {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], []> -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// -----

// StableHLO's too. The result of this done has no sharding, so its users get all of it.
// CHECK-LABEL: func.func @slice
sdy.mesh @mesh = <["x"=2]>
func.func @slice(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[COLUMNS:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]>
  // CHECK-NEXT: %[[F:.*]] = "stablehlo.async_start"(%[[COLUMNS]]) ({
  // CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<8x8xf32>):
  // CHECK-NEXT:   %[[Y:.*]] = stablehlo.slice %[[X]] [0:4, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}
  // CHECK-NEXT:   stablehlo.return %[[Y]]
  // CHECK-NEXT: }) : (tensor<8x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[D:.*]] = "stablehlo.async_done"(%[[F]]) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}
  // CHECK-NEXT: %[[R:.*]] = sdy.reshard %[[D]] <@mesh, [{}, {}]>
  // CHECK-NEXT: return %[[R]]
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8x8xf32>):
    %y = stablehlo.slice %x [0:4, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>) -> tensor<4x8xf32>
    stablehlo.return %y : tensor<4x8xf32>
  }) : (tensor<8x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4x8xf32>>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
