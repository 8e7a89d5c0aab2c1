// RUN: sdy-opt %s --sdy-basic-propagate | filecheck %s

sdy.mesh @mesh = <["a"=2, "c"=3]>

func.func @main() {
  return
}

// An axis of size 3 does not fit into a factor of size 4. The factor behind is then closed, so nothing comes to it.
// CHECK-LABEL: func.func @next_factor
// CHECK-SAME:    %arg1: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}
func.func @next_factor(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c", ?}]>}, %arg1: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}) -> tensor<2xf32> {
  // CHECK-NEXT: stablehlo.custom_call @f(%arg0, %arg1) {sdy.sharding_rule = {{[^}]*}}}, custom>} :
  %0 = stablehlo.custom_call @f(%arg0, %arg1) {sdy.sharding_rule = #sdy.op_sharding_rule<([ij], [j])->([j]) {i=4, j=2}, custom>} : (tensor<8xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Of the factors behind that the tensor knows nothing: it does not keep others from sharing them.
// CHECK-LABEL: func.func @later_factors
func.func @later_factors(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c", ?}]>}, %arg1: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}) -> tensor<2xf32> {
  // CHECK-NEXT: stablehlo.custom_call @f(%arg0, %arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>]>
  %0 = stablehlo.custom_call @f(%arg0, %arg1) {sdy.sharding_rule = #sdy.op_sharding_rule<([ijk], [k])->([k]) {i=4, j=2, k=2}, custom>} : (tensor<16xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
