// RUN: sdy-opt %s --split-input-file --xla-sdy-stablehlo-import-pipeline | filecheck %s

// Tiles, and strings that say more than text can.
// CHECK:       sdy.mesh @mesh = <["_axis_0"=2]>
// CHECK-LABEL: func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}]>})
func.func @main(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.constant
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %arg0 group_id=1
  stablehlo.custom_call @xla.sdy.ShardingGroup(%arg0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "1 : i64"}} : (tensor<8xf32>) -> ()
  // CHECK-NEXT: sdy.sharding_constraint %arg0 <@mesh, [{?}]>
  %1 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{unknown}"} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
