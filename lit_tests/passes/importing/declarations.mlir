// RUN: sdy-opt %s --sdy-lift-inlined-meshes | filecheck %s --check-prefix=LIFT
// RUN: sdy-opt %s --sdy-lift-inlined-meshes --sdy-remove-size-one-axes | filecheck %s --check-prefix=REMOVE
// RUN: sdy-opt %s --sdy-lift-inlined-meshes --sdy-inline-meshes | filecheck %s --check-prefix=INLINE
// RUN: sdy-opt %s --sdy-apply-sharding-constraints='debug-sharding-origins=true' | filecheck %s --check-prefix=ORIGINS

// Functions without a body are treated as others are. Unlike the reference, which crashes.

// LIFT: sdy.mesh @mesh
// LIFT: func.func private @declared(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "w"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
// REMOVE: func.func private @declared(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
// INLINE: func.func private @declared(tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2, "w"=1]>, [{"x", "w"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2, "w"=1]>, [{"x"}]>})
// ORIGINS: func.func private @declared(tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2, "w"=1]>, [{"x", "w"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2, "w"=1]>, [{"x"}]>})
func.func private @declared(tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2, "w"=1]>, [{"x", "w"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2, "w"=1]>, [{"x"}]>})

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @declared(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
