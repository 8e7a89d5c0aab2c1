// Composites: the name, and the function that says what they do.
//
// RUN: sdy-opt %s --stablehlo-verifier=python --verify-diagnostics -o %t

func.func private @twice(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// The types are those of the function.
func.func @composite(%arg0: tensor<2xf32>) {
  %0 = "stablehlo.composite"(%arg0) {name = "mine.twice", decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// A name without a namespace.
func.func @composite_c1(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{(composite_c1)}}
  %0 = "stablehlo.composite"(%arg0) {name = "twice", decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// No such function.
func.func @composite_c2(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{(composite_c2)}}
  %0 = "stablehlo.composite"(%arg0) {name = "mine.twice", decomposition = @thrice} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// Compatible operands are not enough.
func.func @composite_c3(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(composite_c3)}}
  %0 = "stablehlo.composite"(%arg0) {name = "mine.twice", decomposition = @twice} : (tensor<?xf32>) -> tensor<2xf32>
  return
}

// Nor are compatible results.
func.func @composite_c4(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{(composite_c4)}}
  %0 = "stablehlo.composite"(%arg0) {name = "mine.twice", decomposition = @twice} : (tensor<2xf32>) -> tensor<?xf32>
  return
}
