// RUN: sdy-opt %s --split-input-file --verify-diagnostics --sdy-convert-async=to=hlo-async

// What StableHLO admits and no backend can run is reported.

func.func @never_done(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.async_start' op has no done}}
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8xf32>):
    %y = stablehlo.slice %x [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    stablehlo.return %y : tensor<4xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @two_dones(%a: tensor<8xf32>) {
  // expected-error @+1 {{has 2 users, expected one done}}
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8xf32>):
    %y = stablehlo.slice %x [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    stablehlo.return %y : tensor<4xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<4xf32>>
  %d = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  %e = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return
}

// -----

func.func @returned(%a: tensor<8xf32>) -> !stablehlo.future<tensor<4xf32>> {
  // expected-error @+1 {{is handed to 'func.return', expected a done}}
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8xf32>):
    %y = stablehlo.slice %x [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    stablehlo.return %y : tensor<4xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<4xf32>>
  return %f : !stablehlo.future<tensor<4xf32>>
}

// -----

func.func @other_block(%a: tensor<8xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  // expected-error @+1 {{has its done in another block}}
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8xf32>):
    %y = stablehlo.slice %x [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    stablehlo.return %y : tensor<4xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<4xf32>>
  %0 = "stablehlo.case"(%i) ({
    %d = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
    stablehlo.return %d : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @argument(%f: !stablehlo.future<tensor<4xf32>>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.async_done' op waits for a value that is not the handle of a start}}
  %d = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}
