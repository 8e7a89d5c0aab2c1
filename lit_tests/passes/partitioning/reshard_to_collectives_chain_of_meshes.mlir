// RUN: sdy-opt %s --sdy-reshard-to-collectives | filecheck %s

sdy.mesh @mesh = <["x"=2]>
sdy.mesh @other = <["z"=2]>

// A value that is replicated on the way is replicated on either mesh, but the reshard behind it stays on its own.
// Unlike the reference, which refuses what it made of the first one.
// CHECK-LABEL: func.func @chain
func.func @chain(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = sdy.all_gather [{"x"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@other, [{"z"}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[V1]] : tensor<8xf32>
  %0 = sdy.reshard %arg0 <@other, [{}]> : tensor<8xf32>
  %1 = sdy.reshard %0 <@other, [{"z"}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}
