// RUN: sdy-opt %s --sdy-convert-async --split-input-file --verify-diagnostics
// RUN: sdy-opt %s --sdy-async-collectives --split-input-file --verify-diagnostics
// RUN: sdy-opt %s --sdy-place-collectives --split-input-file --verify-diagnostics
// RUN: not sdy-opt %s --sdy-async-collectives=kinds=all_gather,broadcast 2>&1 | filecheck %s --check-prefix=KIND
// RUN: not sdy-opt %s --sdy-place-collectives=mode=list 2>&1 | filecheck %s --check-prefix=MODE
// RUN: not sdy-opt %s --sdy-place-collectives='machine={flops=1 bandwidth=x}' 2>&1 | filecheck %s --check-prefix=MACHINE
// RUN: not sdy-opt %s --sdy-place-collectives=machine=no.json 2>&1 | filecheck %s --check-prefix=FILE

// KIND: 'broadcast' is not a kind for option 'kinds'; there are all_gather, all_reduce, reduce_scatter, collective_permute, all_to_all
// MODE: option 'mode=list' needs a 'machine'
// MACHINE: 'x' in 'bandwidth=x' is not a number
// FILE: option 'machine': {{.*}}No such file or directory: 'no.json'

func.func @no_done(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'stablehlo.async_start' op has no done}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<8xf32>):
    %1 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  return %arg0 : tensor<8xf32>
}

// -----

func.func @two_dones(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.async_start' op has 2 users, expected one done}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<8xf32>):
    %3 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %3 : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
  %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @another_block(%arg0: tensor<8xf32>, %arg1: tensor<i1>) -> tensor<8xf32> {
  // expected-error @+1 {{'stablehlo.async_start' op has its done in another block}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg2: tensor<8xf32>):
    %2 = "stablehlo.collective_permute"(%arg2) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  %1 = "stablehlo.if"(%arg1) ({
    %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }, {
    stablehlo.return %arg0 : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

func.func @returned(%arg0: tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>> {
  // expected-error @+1 {{'stablehlo.async_start' op is handed to 'func.return', expected a done}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<8xf32>):
    %1 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  return %0 : !stablehlo.future<tensor<8xf32>>
}

// -----

func.func @argument(%arg0: !stablehlo.future<tensor<8xf32>>) -> tensor<8xf32> {
  // expected-error @+1 {{'stablehlo.async_done' op waits for a value that is not the handle of a start}}
  %0 = "stablehlo.async_done"(%arg0) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
