// RUN: sdy-opt %s --sdy-import-foreign-shardings='import-shardings=off' --verify-diagnostics | filecheck %s

// CHECK-LABEL: func.func @tiles(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"})
// expected-warning@+1 {{shardings that are not of sdy are not imported, and do not count}}
func.func @tiles(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
  return
}
