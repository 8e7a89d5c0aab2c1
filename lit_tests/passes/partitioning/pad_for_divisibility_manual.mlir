// RUN: sdy-opt %s --sdy-pad-for-divisibility | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Parts along a manual axis that a free axis does not divide enter and leave the computation without the free axis.
// Unlike the reference, which refuses.
// CHECK-LABEL: func.func @manual_and_free
func.func @manual_and_free(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  // CHECK:      %[[SHARDED:.*]] = sdy.all_slice [{"x", "y"}] %{{.*}} out_sharding=<@mesh, [{"x", "y"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[GATHERED:.*]] = sdy.all_gather [{"x", "y"}] %[[SHARDED]] out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[WHOLE:.*]] = stablehlo.slice %[[GATHERED]] [0:6]
  // CHECK-NEXT: %[[PARTS:.*]] = sdy.all_slice [{"x"}] %[[WHOLE]] out_sharding=<@mesh, [{"x"}]> : tensor<6xf32>
  // CHECK-NEXT: %[[RESULT:.*]] = sdy.manual_computation(%[[PARTS]]) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%[[PART:.*]]: tensor<3xf32>) {
  // CHECK:        %[[PADDED:.*]] = stablehlo.pad %[[PART]]
  // CHECK-NEXT:   %[[INSIDE:.*]] = sdy.all_slice [{"y"}] %[[PADDED]] out_sharding=<@mesh, [{"y"}]> : tensor<4xf32>
  // CHECK-NEXT:   %[[SUM:.*]] = stablehlo.add %[[INSIDE]], %[[INSIDE]]
  // CHECK-NEXT:   %[[BACK:.*]] = sdy.all_gather [{"y"}] %[[SUM]] out_sharding=<@mesh, [{}]> : tensor<4xf32>
  // CHECK-NEXT:   %[[CUT:.*]] = stablehlo.slice %[[BACK]] [0:3]
  // CHECK-NEXT:   sdy.return %[[CUT]] : tensor<3xf32>
  // CHECK:      sdy.all_gather [{"x"}] %[[RESULT]] out_sharding=<@mesh, [{}]> : tensor<6xf32>
  // CHECK:      sdy.all_slice [{"x", "y"}] %{{.*}} out_sharding=<@mesh, [{"x", "y"}]> : tensor<8xf32>
  %0 = sdy.all_slice [{"x", "y"}] %arg0 out_sharding=<@mesh, [{"x", "y"}]> : tensor<6xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", "y"}]>] manual_axes={"x"} (%arg1: tensor<3xf32>) {
    %3 = stablehlo.add %arg1, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : tensor<3xf32>
    sdy.return %3 : tensor<3xf32>
  } : (tensor<6xf32>) -> tensor<6xf32>
  %2 = sdy.all_gather [{"x", "y"}] %1 out_sharding=<@mesh, [{}]> : tensor<6xf32>
  return %2 : tensor<6xf32>
}
