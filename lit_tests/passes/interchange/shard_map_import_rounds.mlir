// RUN: sdy-opt %s --split-input-file --sdy-import-foreign-shardings --verify-diagnostics | filecheck %s

// Three computations follow one another. What several of them need is computed in each, and what one needs in that one.
// CHECK-LABEL: func.func @three_rounds
// CHECK-NEXT:  %[[FIRST:.*]] = sdy.manual_computation(%arg0)
// CHECK-NEXT:    %[[E1:.*]] = stablehlo.exponential
// CHECK-NEXT:    sdy.return %[[E1]]
// CHECK-NEXT:  }
// CHECK-NEXT:  %[[A:.*]] = stablehlo.abs %[[FIRST]]
// CHECK-NEXT:  %[[SECOND:.*]] = sdy.manual_computation(%arg0, %[[A]])
// CHECK-SAME:    (%[[X2:.*]]: tensor<4xf32>, %[[A2:.*]]: tensor<4xf32>) {
// CHECK-NEXT:    %[[E2:.*]] = stablehlo.exponential %[[X2]]
// CHECK-NEXT:    %[[S2:.*]] = stablehlo.add %[[A2]], %[[E2]]
// CHECK-NEXT:    sdy.return %[[S2]]
// CHECK-NEXT:  }
// CHECK-NEXT:  %[[N:.*]] = stablehlo.negate %[[SECOND]]
// CHECK-NEXT:  %[[THIRD:.*]] = sdy.manual_computation(%arg0, %[[N]])
// CHECK-SAME:    (%[[X3:.*]]: tensor<4xf32>, %[[N3:.*]]: tensor<4xf32>) {
// CHECK-NEXT:    %[[E3:.*]] = stablehlo.exponential %[[X3]]
// CHECK-NEXT:    %[[C3:.*]] = stablehlo.cosine %[[E3]]
// CHECK-NEXT:    %[[S3:.*]] = stablehlo.add %[[N3]], %[[C3]]
// CHECK-NEXT:    sdy.return %[[S3]]
// CHECK-NEXT:  }
// CHECK-NEXT:  return %[[THIRD]]
func.func @three_rounds(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  %2 = stablehlo.cosine %1 : tensor<4xf32>
  %3 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  %4 = stablehlo.abs %3 {mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<8xf32>
  %5 = stablehlo.custom_call @SPMDFullToShardShape(%4) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %6 = stablehlo.add %5, %1 : tensor<4xf32>
  %7 = stablehlo.custom_call @SPMDShardToFullShape(%6) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  %8 = stablehlo.negate %7 {mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<8xf32>
  %9 = stablehlo.custom_call @SPMDFullToShardShape(%8) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %10 = stablehlo.add %9, %2 : tensor<4xf32>
  %11 = stablehlo.custom_call @SPMDShardToFullShape(%10) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %11 : tensor<8xf32>
}

// -----

// What has an effect is not done twice.
func.func @an_effect_in_two_rounds(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @counted(%0) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{results of one computation are used before all of it is computed}}
  %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  %3 = stablehlo.abs %2 {mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<8xf32>
  %4 = stablehlo.custom_call @SPMDFullToShardShape(%3) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %5 = stablehlo.add %4, %1 : tensor<4xf32>
  %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %6 : tensor<8xf32>
}
