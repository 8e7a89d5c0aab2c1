// RUN: sdy-opt %s --sdy-partition-pipeline='executable=true keep-records' | filecheck %s
// RUN: sdy-opt %s --sdy-partition-pipeline='executable=true keep-records' --mlir-print-ir-after=sdy-prepare-executable -o %t 2>&1 | filecheck %s --check-prefix=DUMP

// What sdy.partition runs: devices by logical numbers, what is asked of the partitioner, and what XLA compiles.
// DUMP: IR Dump After PrepareExecutable (sdy-prepare-executable)
// DUMP: module attributes {sdy.devices = #sdy.mesh<["x"=2], device_ids=[1, 0]>, sdy.main_type = 
// DUMP-NEXT: sdy.mesh @mesh = <["x"=2]>

// CHECK: module attributes {sdy.devices = #sdy.mesh<["x"=2], device_ids=[1, 0]>,
// CHECK-SAME: sdy.inspections = [{key = "0", shape = array<i64: 8, 8>, sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}, {}]>}],
// CHECK-SAME: sdy.main_type = (tensor<8x8xi32>) -> tensor<8x8xi32>
// CHECK-NEXT: func.func @main(%arg0: tensor<4x8xi32>) -> tensor<4x8xi32> {
sdy.mesh @mesh = <["x"=2], device_ids=[1, 0]>
func.func @f(%arg0: tensor<8x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xi32> {
  // CHECK-NEXT: stablehlo.convert %arg0 : (tensor<4x8xi32>) -> tensor<4x8xi64>
  %0 = chlo.mulhi %arg0, %arg0 : tensor<8x8xi32>, tensor<8x8xi32> -> tensor<8x8xi32>
  // CHECK-NOT: InspectSharding
  stablehlo.custom_call @InspectSharding(%0) {backend_config = "0", has_side_effect = true} : (tensor<8x8xi32>) -> ()
  return %0 : tensor<8x8xi32>
}
