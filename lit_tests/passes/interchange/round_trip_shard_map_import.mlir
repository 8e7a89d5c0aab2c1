// RUN: sdy-opt %s --split-input-file --xla-sdy-round-trip-shard-map-import --verify-diagnostics | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=4]>
// A body that is called twice is copied, one without operands or results lacks the call there.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[M:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%[[X:.*]]: tensor<4xf32>) {
  // CHECK-NEXT:   %[[S:.*]] = stablehlo.sine %[[X]]
  // CHECK-NEXT:   sdy.return %[[S]]
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[N:.*]] = sdy.manual_computation(%[[M]])
  // CHECK:      sdy.manual_computation(%[[N]]) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[] manual_axes={"a"} (%{{.*}}: tensor<4xf32>) {
  // CHECK-NEXT:   sdy.return
  // CHECK:      return %[[N]]
  %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22}>"}} : (tensor<8xf32>) -> tensor<4xf32>
  %1 = call @xla.sdy.manual_computation_body(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {mhlo.frontend_attributes = {xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22}>"}} : (tensor<4xf32>) -> tensor<8xf32>
  %3 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%2) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22}>"}} : (tensor<8xf32>) -> tensor<4xf32>
  %4 = call @xla.sdy.manual_computation_body(%3) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%4) {mhlo.frontend_attributes = {xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22}>"}} : (tensor<4xf32>) -> tensor<8xf32>
  %6 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%5) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22}>"}} : (tensor<8xf32>) -> tensor<4xf32>
  call @xla.sdy.manual_computation_body_0(%6) : (tensor<4xf32>) -> ()
  return %5 : tensor<8xf32>
}
// CHECK-NOT: manual_computation_body
func.func @xla.sdy.manual_computation_body(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %arg0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @xla.sdy.manual_computation_body_0(%arg0: tensor<4xf32>) {
  return
}

// -----

func.func @no_way_in(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected its operands to be produced by a @xla.sdy.GlobalToLocalShape}}
  %0 = call @xla.sdy.manual_computation_body(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @xla.sdy.manual_computation_body(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}

// -----

func.func @no_attributes(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{expected the frontend attribute 'xla.sdy.in_shardings'}}
  %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0) : (tensor<8xf32>) -> tensor<4xf32>
  call @xla.sdy.manual_computation_body(%0) : (tensor<4xf32>) -> ()
  return
}
func.func @xla.sdy.manual_computation_body(%arg0: tensor<4xf32>) {
  return
}

// -----

func.func @no_call(%arg0: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{there is no call of a @xla.sdy.manual_computation_body beside it}}
  %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0) : (tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
