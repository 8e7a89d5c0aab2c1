// RUN: sdy-opt %s --split-input-file --xla-sdy-import-sdy-custom-calls='sharding-calls=mine.constraint' --verify-diagnostics | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=4]>

// Listed dimensions are open and keep their axes.
// CHECK-LABEL: func.func @constraint
func.func @constraint(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: sdy.sharding_constraint %arg0 <@mesh, [{"a", ?}, {"b"}]>
  %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "unspecified_dims=[0]", sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {"b"}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: sdy.sharding_constraint %0 <@mesh, [{"a"}, {"b"}]>
  %1 = stablehlo.custom_call @mine.constraint(%0) {backend_config = "", sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {"b"}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return %1
  return %1 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @groups_and_barriers
func.func @groups_and_barriers(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.sharding_group %arg0 group_id=21
  stablehlo.custom_call @xla.sdy.ShardingGroup(%arg0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "21 : i64"}} : (tensor<8xf32>) -> ()
  // CHECK-NEXT: sdy.propagation_barrier %arg0 allowed_direction=BACKWARD
  %0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%arg0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.allowed_direction = "2 : i32"}} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Those of GSPMD name the side whose sharding stays there.
// CHECK-LABEL: func.func @barriers_of_gspmd
func.func @barriers_of_gspmd(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.propagation_barrier %arg0 allowed_direction=BACKWARD
  %0 = stablehlo.custom_call @ShardBarrierFrom(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: sdy.propagation_barrier %0 allowed_direction=FORWARD
  %1 = stablehlo.custom_call @ShardBarrierTo(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

func.func @no_sharding(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expected a sharding on this custom call}}
  %0 = stablehlo.custom_call @Sharding(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @no_group(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{expected a group id in the frontend attribute 'xla.sdy.sharding_group_id'}}
  stablehlo.custom_call @xla.sdy.ShardingGroup(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @direction(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{allowed direction 7 is not in 0 to 3}}
  %0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%arg0) {mhlo.frontend_attributes = {xla.sdy.allowed_direction = "7 : i32"}} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @beyond(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{unspecified dimension 1 of a value of rank 1}}
  %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "unspecified_dims=[1]", sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @config(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expected backend_config "unspecified_dims=[...]", got "open=[0]"}}
  %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "open=[0]", sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @of_another_name(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{calls @xla.sdy.Strange, which is not a form of sharding}}
  %0 = stablehlo.custom_call @xla.sdy.Strange(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
