// RUN mpmd-validate-no-reshards
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<f32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>> {jax.buffer_donor = true}, %arg3: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, %arg4: !mpmd.mesh_tensor<"m2", tensor<f32>> {jax.buffer_donor = true}) -> (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0 = mpmd.fragment_call<mesh="m1", origin=["layer_1"]> @p0_layer_1_fwd_call2.step() : () -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %1 = mpmd.transfer %arg4 : (!mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m3", tensor<f32>>
    %2:3 = mpmd.fragment_call<mesh="m2", origin=["layer_1"(1)]> @p1_layer_1_bwd_call2.step(%arg4, %arg2, %arg0) : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>)
    %3 = mpmd.fragment_call<mesh="m3", origin=[]> @p2_inferred.step() : () -> !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>
    %4 = mpmd.fragment_call<mesh="m3", origin=["embed"(1)]> @p3_embed_bwd_call0.step() : () -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %5:2 = mpmd.fragment_call<mesh="m3", origin=["embed"]> @p4_embed_fwd_call1.step(%4, %4, %3) : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %6 = mpmd.transfer %3 : (!mpmd.mesh_tensor<"m3", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<8x4xf32>>
    return %2#2, %5#0, %5#1 : !mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
  func.func @p0_layer_1_fwd_call2.step() -> tensor<f32> attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.subtract %cst, %cst : tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @p1_layer_1_bwd_call2.step(%arg0: tensor<f32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x8xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    return %arg1, %arg1, %arg0 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>
  }
  func.func @p2_inferred.step() -> tensor<8x4xf32> attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<8x4xf32>
    return %cst_0 : tensor<8x4xf32>
  }
  func.func @p3_embed_bwd_call0.step() -> tensor<4x8xf32> attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<4x8xf32>
    %0 = stablehlo.add %cst_0, %cst_0 : tensor<4x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<4x8xf32>
    return %cst : tensor<4x8xf32>
  }
  func.func @p4_embed_fwd_call1.step(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<8x4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    %0 = stablehlo.tanh %arg2 : tensor<8x4xf32>
    %1 = stablehlo.multiply %arg2, %arg2 : tensor<8x4xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<8x4xf32>
    return %arg1, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>
  }
}
// ==>
// refused
// -----
// RUN mpmd-validate-no-reshards
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> {jax.buffer_donor = true}, %arg1: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> {jax.buffer_donor = true}, %arg2: !mpmd.mesh_tensor<"m2", tensor<8x4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<f32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0:2 = mpmd.fragment_call<mesh="m2", origin=["embed"]> @p0_embed_fwd_call1.step(%arg1) : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %1:3 = mpmd.fragment_call<mesh="m3", origin=["embed"]> @p1_stage0_fwd.step() : () -> (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>)
    %2 = mpmd.transfer %1#0 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %3:3 = mpmd.fragment_call<mesh="m1", origin=["head"(1)]> @p2_head_bwd_call2.step() : () -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %4 = mpmd.transfer %1#2 : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %5:3 = mpmd.fragment_call<mesh="m1", origin=["embed"]> @p3_embed_fwd_call2.step(%3#1, %4, %3#2, %3#2) : (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
    %6 = mpmd.fragment_call<mesh="m3", origin=["layer_3", "layer_1"]> @"p4_layer_1:3_fwd.step"(%2) : (!mpmd.mesh_tensor<"m3", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    return %5#0 : !mpmd.mesh_tensor<"m1", tensor<f32>>
  }
  func.func @p0_embed_fwd_call1.step(%arg0: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<4x8xf32>
    return %cst, %arg0 : tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func @p1_stage0_fwd.step() -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<4x8xf32>
    %0 = stablehlo.subtract %cst, %cst : tensor<4x8xf32>
    %1 = stablehlo.subtract %0, %cst : tensor<4x8xf32>
    %2 = stablehlo.tanh %1 : tensor<4x8xf32>
    return %2, %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func @p2_head_bwd_call2.step() -> (tensor<f32>, tensor<f32>, tensor<f32>) attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.multiply %cst, %cst : tensor<f32>
    %1 = stablehlo.multiply %0, %cst : tensor<f32>
    return %1, %1, %1 : tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.func @p3_embed_fwd_call2.step(%arg0: tensor<f32>, %arg1: tensor<4x8xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    %0 = stablehlo.add %arg1, %arg1 : tensor<4x8xf32>
    %1 = stablehlo.tanh %arg2 : tensor<f32>
    %2 = stablehlo.multiply %arg1, %0 : tensor<4x8xf32>
    %3 = stablehlo.add %arg3, %arg3 : tensor<f32>
    return %1, %3, %arg0 : tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.func @"p4_layer_1:3_fwd.step"(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    return %arg0 : tensor<4x8xf32>
  }
}
// ==>
// refused
// -----
// RUN mpmd-validate-no-reshards
module @jit_step {
  func.func public @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>, <"m3" : <["x"=2, "y"=2]>>>} {
    %0:3 = mpmd.fragment_call<mesh="m3", origin=["layer_2", "embed"]> @p0_stage2_fwd_call1.step() : () -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> !mpmd.mesh_tensor<"m1", tensor<f32>>
    %2:3 = mpmd.fragment_call<mesh="m2", origin=["head"]> @p1_stage1_fwd.step(%arg1, %arg1, %arg1, %arg1) : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>, !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>)
    %3:3 = mpmd.fragment_call<mesh="m3", origin=["layer_3", "head"]> @p2_head..._fwd.step(%0#1) : (!mpmd.mesh_tensor<"m3", tensor<f32>>) -> (!mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>, !mpmd.mesh_tensor<"m3", tensor<f32>>)
    %4 = mpmd.transfer %2#0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
    %5 = mpmd.fragment_call<mesh="m1", origin=["layer_1"(1)]> @p3_layer_1_bwd_call2.step(%arg0) : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    %6 = mpmd.fragment_call<mesh="m1", origin=["layer_3"]> @p4_stage0_fwd.step() : () -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    return %4 : !mpmd.mesh_tensor<"m3", tensor<4x8xf32>>
  }
  func.func @p0_stage2_fwd_call1.step() -> (tensor<f32>, tensor<f32>, tensor<f32>) attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.add %cst, %cst : tensor<f32>
    %1 = stablehlo.multiply %0, %0 : tensor<f32>
    %2 = stablehlo.add %0, %1 : tensor<f32>
    return %0, %0, %0 : tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.func @p1_stage1_fwd.step(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    %0 = stablehlo.multiply %arg1, %arg3 : tensor<4x8xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<4x8xf32>
    %2 = stablehlo.multiply %arg3, %arg3 : tensor<4x8xf32>
    return %1, %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func @p2_head..._fwd.step(%arg0: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    %0 = stablehlo.subtract %arg0, %arg0 : tensor<f32>
    %1 = stablehlo.tanh %0 : tensor<f32>
    %2 = stablehlo.multiply %1, %arg0 : tensor<f32>
    %3 = stablehlo.add %0, %arg0 : tensor<f32>
    return %arg0, %1, %3 : tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.func @p3_layer_1_bwd_call2.step(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    return %arg0 : tensor<4x8xf32>
  }
  func.func @p4_stage0_fwd.step() -> tensor<4x8xf32> attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=2]>} {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<4x8xf32>
    return %cst : tensor<4x8xf32>
  }
}
// ==>
// refused
