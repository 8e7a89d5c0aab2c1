// RUN: sdy-opt %s --split-input-file --verify-diagnostics --sdy-prepare-executable | filecheck %s

// The only function is @main; its type is noted.
// CHECK: module attributes {sdy.devices = #sdy.mesh<["x"=4]>, sdy.main_type = (tensor<8xf32>, !stablehlo.token) -> tensor<8xf32>}
// CHECK: func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: !stablehlo.token)
sdy.mesh @mesh = <["x"=4]>

func.func @f(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: !stablehlo.token) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// -----

// expected-error@+1 {{expected a function named 'main', or exactly one function}}
module {
  func.func @f() {
    return
  }
  func.func @g() {
    return
  }
}

// -----

sdy.mesh @mesh = <["x"=4]>

// expected-error@+1 {{argument 0 has size 6 in dimension 0, which its 4 shards do not divide}}
func.func @main(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return
}

// -----

// expected-error@+1 {{argument 0 has type tensor<?xf32>, expected a statically shaped tensor or a token}}
func.func @main(%arg0: tensor<?xf32>) {
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
sdy.mesh @one = <[], device_ids=[2]>

// expected-error@+1 {{result 0 lies on device 2 alone, expected it on all devices}}
func.func @main(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@one, []>}) {
  return %arg0 : tensor<8xf32>
}
