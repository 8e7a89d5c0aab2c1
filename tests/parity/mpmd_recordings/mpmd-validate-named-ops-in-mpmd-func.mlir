// RUN mpmd-validate-named-ops-in-mpmd-func
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    %1 = mpmd.named_computation<"g"> (%a) (%b: tensor<4xf32>) {
      %2 = mpmd.named_tensor %b name="x" : tensor<4xf32>
      %3 = mpmd.broadcast %2 : tensor<4xf32>
      %4 = mpmd.named_computation<"h"> (%3) (%c: tensor<4xf32>) {
        %5 = mpmd.reduce<none> %c : (tensor<4xf32>) -> tensor<4xf32>
        mpmd.return %5 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      %6 = stablehlo.add %4, %4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %1 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      %1 = mpmd.named_computation<"g"> (%arg1) (%arg2: tensor<4xf32>) {
        %2 = mpmd.named_tensor %arg2 name="x" : tensor<4xf32>
        %3 = mpmd.broadcast %2 : tensor<4xf32>
        %4 = mpmd.named_computation<"h"> (%3) (%arg3: tensor<4xf32>) {
          %6 = mpmd.reduce<none> %arg3 : (tensor<4xf32>) -> tensor<4xf32>
          mpmd.return %6 : tensor<4xf32>
        } : (tensor<4xf32>) -> tensor<4xf32>
        %5 = stablehlo.add %4, %4 : tensor<4xf32>
        mpmd.return %5 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
