// RUN: not sdy-opt %s --sdy-record-main-shardings=embedded=true 2>&1 | filecheck %s

// CHECK: record_main_shardings_embedded_errors.mlir:[[# @LINE + 1]]:1: error: 'builtin.module' op has no mesh <["x"=2]>, that of its devices
module attributes {sdy.devices = #sdy.mesh<["x"=2], device_ids=[1, 0]>} {
  sdy.mesh @mesh = <["y"=2], device_ids=[1, 0]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}
