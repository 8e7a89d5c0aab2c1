// RUN: sdy-opt %s --sdy-partition-pipeline='export-shardings=tiles' | filecheck %s --check-prefix=TILES
// RUN: sdy-opt %s --sdy-partition-pipeline='export-shardings=named' | filecheck %s --check-prefix=NAMED
// RUN: sdy-opt %s --sdy-partition-pipeline='export-shardings=strings' | filecheck %s --check-prefix=STRINGS

// Shardings come in as tiles here, and go out in each of the encodings: behind propagation, but for strings.
// TILES-NOT:   sdy.
// TILES:       func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"})
// NAMED-NOT:   sdy.
// NAMED:       func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{mesh['_axis_0'=2,'_axis_1'=4], [{'_axis_0'}, {'_axis_1'}]}"})
// STRINGS:     module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22_axis_0\22=2, \22_axis_1\22=4]>}"}}
// STRINGS:     func.func @main(%arg0: tensor<8x8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22_axis_0\22}, {\22_axis_1\22}]>"}, mhlo.sharding = "{devices=[2,4]<=[8]}"})
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}) -> tensor<8x8xf32> {
  // TILES-NEXT:   %[[S:.*]] = stablehlo.sine %arg0 {mhlo.sharding = "{devices=[2,4]<=[8]}"} : tensor<8x8xf32>
  // NAMED-NEXT:   %[[S:.*]] = stablehlo.sine %arg0 {mhlo.sharding = "{mesh['_axis_0'=2,'_axis_1'=4], [{'_axis_0'}, {'_axis_1'}]}"} : tensor<8x8xf32>
  // STRINGS-NEXT: %[[S:.*]] = stablehlo.sine %arg0 : tensor<8x8xf32>
  %0 = stablehlo.sine %arg0 : tensor<8x8xf32>
  // TILES-NEXT:   return %[[S]]
  // NAMED-NEXT:   return %[[S]]
  // STRINGS-NEXT: return %[[S]]
  return %0 : tensor<8x8xf32>
}
