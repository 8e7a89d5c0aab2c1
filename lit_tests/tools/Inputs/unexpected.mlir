// expected-error @+1 {{nothing is wrong here}}
func.func private @valid()

// -----

// The text is another one, then the line, then the kind.
sdy.mesh @m = <["a"=2]>
func.func @text(%x: tensor<8xf32>) {
  // expected-error @+1 {{axis "c"}}
  %0 = sdy.reshard %x <@m, [{"b"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["a"=2]>
func.func @line(%x: tensor<8xf32>) {
  // expected-error {{axis "b"}}
  %0 = sdy.reshard %x <@m, [{"b"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["a"=2]>
func.func @kind(%x: tensor<8xf32>) {
  // expected-warning @+1 {{axis "b"}}
  %0 = sdy.reshard %x <@m, [{"b"}]> : tensor<8xf32>
  return
}

// -----

// A note that nobody expects counts as well.
func.func private @f()
// expected-error @+1 {{redefinition}}
func.func private @f()

// -----

// Two are expected, one comes.
func.func @undeclared() {
  // expected-error @+1 2 {{undeclared}}
  return %x : index
}
