// RUN: sdy-opt %s --sdy-remove-sub-axes-in-input-output-shardings | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2, "z"=2]>

// Open dimensions of arguments and results are cut at the first sub-axis; closed ones are the user's choice.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}p1]>}, %arg1: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x":(2)2}]>}) -> (tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}], replicated={"z"}>}, tensor<32xf32>)
func.func @main(%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x":(1)2, "z", ?}p1]>}, %arg1: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x":(2)2}]>})
    -> (tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, "y", ?}], replicated={"z"}>}, tensor<32xf32>) {
  // CHECK-NEXT: return %arg0, %arg1 : tensor<32xf32>, tensor<32xf32>
  return %arg0, %arg1 : tensor<32xf32>, tensor<32xf32>
}

// Only the main function has a caller outside.
// CHECK-LABEL: func.func private @other
// CHECK-SAME: (%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x":(1)2, ?}]>}) -> tensor<32xf32>
func.func private @other(%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x":(1)2, ?}]>}) -> tensor<32xf32> {
  // CHECK-NEXT: return %arg0 : tensor<32xf32>
  return %arg0 : tensor<32xf32>
}
