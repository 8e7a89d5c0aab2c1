// RUN: sdy-opt %s --xla-sdy-import-shardings='allow-propagation-to-args=false,true allow-propagation-to-results=true' | filecheck %s
// RUN: sdy-opt %s --xla-sdy-import-shardings='inline-mesh' | filecheck %s --check-prefix=INLINE

// Arguments and results of main are open where the options say so.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    [{"_axis_0"}]>}, {{.*}}[{"_axis_0", ?}]>}) -> (tensor<8xf32> {{.*}}[{"_axis_0", ?}]>})
// INLINE-NOT:  sdy.mesh
// INLINE:      sdy.sharding<mesh<["_axis_0"=2]>, [{"_axis_0"}]>
func.func @main(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"},
                %arg1: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"})
    -> (tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
  return %arg0 : tensor<8xf32>
}
