// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// What a manual computation takes stays unreduced by the reduction that it has.
// Unlike the reference, which makes a sum of it and refuses that.
// CHECK-LABEL: func.func @manual_computation(
func.func @manual_computation(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"y"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}], unreduced=max{"y"}> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.manual_computation(%[[V0]]) in_shardings=[<@mesh, [{"x"}], unreduced=max{"y"}>] out_shardings=[<@mesh, [{"x"}], unreduced=max{"y"}>] manual_axes={"x"} (%arg1: tensor<2xf32>) {
  // CHECK-NEXT: sdy.return %arg1 : tensor<2xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}], unreduced=max{"y"}>] out_shardings=[<@mesh, [{"x"}], unreduced=max{"y"}>] manual_axes={"x"} (%arg1: tensor<2xf32>) {
    sdy.return %arg1 : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}
