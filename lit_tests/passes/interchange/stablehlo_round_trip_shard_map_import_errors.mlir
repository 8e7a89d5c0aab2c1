// RUN: sdy-opt %s --split-input-file --verify-diagnostics --xla-sdy-import-shardings --xla-sdy-stablehlo-round-trip-shard-map-import

func.func @no_way_back(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  // expected-error@+1 {{returns a value of one device: there is no @SPMDShardToFullShape for it}}
  return %1 : tensor<4xf32>
}

// -----

func.func @no_way_in(%arg0: tensor<4xf32>) -> (tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
  // expected-error@+1 {{there is no @SPMDFullToShardShape for its operand}}
  %0 = stablehlo.custom_call @SPMDShardToFullShape(%arg0) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @not_converted(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}, %arg1: tensor<4xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  // expected-error@+1 {{takes a value that no @SPMDFullToShardShape converts, beside others}}
  %1 = stablehlo.add %0, %arg1 : tensor<4xf32>
  %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

func.func @disagree(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}) -> tensor<8x8xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8x8xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-error@+1 {{manual axes {_axis_0} differ from {_axis_0, _axis_1} of the same computation}}
  %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[2,2]<=[4]}"} : (tensor<4x4xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

func.func @local_shape(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  // expected-error@+1 {{has local type tensor<2xf32>, but tensor<8xf32> is cut into 4}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @SPMDShardToFullShape(%0) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<2xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

func.func @outside(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  // expected-error@+1 {{manual devices outside a manual computation}}
  %0 = stablehlo.sine %arg0 {mhlo.sharding = "{manual}"} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @two_operands(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
  // expected-error@+1 {{@SPMDFullToShardShape takes one value and returns it}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0, %arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @recursive(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %1 = call @f(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{recursive call of 'f' is not supported}}
  %0 = call @f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @unused(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  // expected-error@+1 {{there is no @SPMDShardToFullShape for its result}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  return %arg0 : tensor<8xf32>
}
