// Every way to expect a diagnostic, all of them fulfilled.
sdy.mesh @m = <["a"=2]>
func.func @above_and_below(%x: tensor<8xf32>) {
  // expected-error @below {{uses axis "b", which the mesh does not have}}
  %0 = sdy.reshard %x <@m, [{"b"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["a"=2]>
func.func @same_line(%x: tensor<8xf32>) {
  %0 = sdy.reshard %x <@m, [{"b"}]> : tensor<8xf32> // expected-error {{uses axis "b"}}
  return
}

// -----

func.func private @f() // expected-note {{see existing symbol definition}}
func.func private @f()
// expected-error-re @-1 {{redefinition of {{[a-z]+}} named 'f'}}

// -----

func.func private @f()
// expected-note @above {{see existing}}
// expected-error @+1 1 {{redefinition}}
func.func private @f()

// -----

// expected-error @unknown {{uses axis "b"}}
sdy.mesh @m = <["a"=2]>
func.func @somewhere(%x: tensor<8xf32>) {
  %0 = sdy.reshard %x <@m, [{"b"}]> : tensor<8xf32> loc(unknown)
  return
}
