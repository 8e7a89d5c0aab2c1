// RUN: sdy-opt %s --sdy-decompose-collective-dots='direction=both asynchronous=false' --canonicalize | filecheck %s --check-prefix=BOTH
// RUN: sdy-opt %s --sdy-decompose-collective-dots='direction=one form=loop' --canonicalize | filecheck %s --check-prefix=LOOP
// RUN: sdy-opt %s --sdy-decompose-collective-dots='unroll-limit=4' --canonicalize | filecheck %s --check-prefix=AUTO
// RUN: sdy-opt %s --sdy-decompose-collective-dots='unroll-limit=6' --canonicalize | filecheck %s --check-prefix=UNROLLED

// Both ways: blocks come from the left and from the right at once, the last one of six from the left. In a loop, the
// permute and the product of a round are independent; behind it is the last product.
// BOTH-LABEL: func.func @gather
// LOOP-LABEL: func.func @gather
// AUTO-LABEL: func.func @gather
// UNROLLED-LABEL: func.func @gather
// UNROLLED-NOT:   stablehlo.while
// UNROLLED:       return
func.func @gather(%a: tensor<2x8xf32>, %b: tensor<8x4xf32>) -> tensor<12x4xf32> {
  // BOTH:      %[[R1:.*]] = "stablehlo.collective_permute"(%arg0) {{.*}} dense<{{\[\[}}0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 0]]>
  // BOTH-NEXT: %[[L1:.*]] = "stablehlo.collective_permute"(%arg0) {{.*}} dense<{{\[\[}}0, 5], [1, 0], [2, 1], [3, 2], [4, 3], [5, 4]]>
  // BOTH-NEXT: stablehlo.dot_general %arg0
  // BOTH:      %[[R2:.*]] = "stablehlo.collective_permute"(%[[R1]])
  // BOTH-NEXT: %[[L2:.*]] = "stablehlo.collective_permute"(%[[L1]])
  // BOTH:      stablehlo.dot_general %[[R1]]
  // BOTH:      stablehlo.dot_general %[[L1]]
  // BOTH:      %[[R3:.*]] = "stablehlo.collective_permute"(%[[R2]])
  // BOTH:      stablehlo.dot_general %[[R2]]
  // BOTH:      stablehlo.dot_general %[[L2]]
  // BOTH:      stablehlo.dot_general %[[R3]]
  // BOTH-NOT:  dot_general
  // BOTH:      return

  // LOOP:      %[[W:.*]]:3 = stablehlo.while(%[[TURN:.*]] = %{{.*}}, %[[BLOCK:.*]] = %arg0, %[[OUT:.*]] = %{{.*}})
  // LOOP:      do {
  // LOOP:      %[[FUTURE:.*]] = "stablehlo.async_start"(%[[BLOCK]])
  // LOOP:      %[[PART:.*]] = stablehlo.dot_general %[[BLOCK]], %arg1
  // LOOP:      %[[NEXT_OUT:.*]] = stablehlo.dynamic_update_slice %[[OUT]], %[[PART]]
  // LOOP-NEXT: %[[NEXT:.*]] = "stablehlo.async_done"(%[[FUTURE]])
  // LOOP-NEXT: stablehlo.return %{{.*}}, %[[NEXT]], %[[NEXT_OUT]]
  // LOOP:      stablehlo.dot_general %[[W]]#1, %arg1
  // LOOP:      stablehlo.dynamic_update_slice %[[W]]#2

  // AUTO:      stablehlo.while
  // AUTO:      return
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<12x8xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<12x8xf32>, tensor<8x4xf32>) -> tensor<12x4xf32>
  return %1 : tensor<12x4xf32>
}

// The own part first, then the sums that come from the right and from the left; a sum starts with a part.
// BOTH-LABEL: func.func @scatter
// LOOP-LABEL: func.func @scatter
// AUTO-LABEL: func.func @scatter
func.func @scatter(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<1x4xf32> {
  // BOTH:      %[[R2:.*]] = stablehlo.dot_general
  // BOTH:      %[[SENT_R2:.*]] = "stablehlo.collective_permute"(%[[R2]]) {{.*}} dense<{{\[\[}}0, 1]
  // BOTH:      %[[R1:.*]] = stablehlo.dot_general
  // BOTH:      %[[L1:.*]] = stablehlo.dot_general
  // BOTH-NEXT: %[[SUM_R:.*]] = stablehlo.add %[[SENT_R2]], %[[R1]]
  // BOTH-NEXT: %[[SENT_R:.*]] = "stablehlo.collective_permute"(%[[SUM_R]]) {{.*}} dense<{{\[\[}}0, 1]
  // BOTH-NEXT: %[[SENT_L:.*]] = "stablehlo.collective_permute"(%[[L1]]) {{.*}} dense<{{\[\[}}0, 3]
  // BOTH:      %[[OWN:.*]] = stablehlo.dot_general
  // BOTH-NEXT: %[[SUM_L:.*]] = stablehlo.add %[[OWN]], %[[SENT_L]]
  // BOTH-NEXT: %[[SUM:.*]] = stablehlo.add %[[SUM_L]], %[[SENT_R]]
  // BOTH-NEXT: return %[[SUM]]

  // LOOP:      %[[FIRST:.*]] = stablehlo.dot_general
  // LOOP:      %[[W:.*]]:2 = stablehlo.while(%{{.*}} = %{{.*}}, %[[SUM:.*]] = %[[FIRST]])
  // LOOP:      do {
  // LOOP:      %[[FUTURE:.*]] = "stablehlo.async_start"(%[[SUM]])
  // LOOP:      %[[PART:.*]] = stablehlo.dot_general
  // LOOP-NEXT: %[[SENT:.*]] = "stablehlo.async_done"(%[[FUTURE]])
  // LOOP-NEXT: %[[NEXT:.*]] = stablehlo.add %[[SENT]], %[[PART]]
  // LOOP-NEXT: stablehlo.return %{{.*}}, %[[NEXT]]
  // LOOP:      return %[[W]]#1

  // AUTO-NOT:  stablehlo.while
  // AUTO:      return
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.reduce_scatter"(%0) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<1x4xf32>
  return %1 : tensor<1x4xf32>
}

// Groups given as axes of a mesh.
// BOTH-LABEL: func.func @mesh_axes
// LOOP-LABEL: func.func @mesh_axes
// AUTO-LABEL: func.func @mesh_axes
func.func @mesh_axes(%a: tensor<2x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  // BOTH: "stablehlo.collective_permute"(%arg0) {{.*}} dense<{{\[\[}}0, 2], [2, 0], [1, 3], [3, 1]]>
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
