// RUN: sdy-opt %s --sdy-auto-partition | filecheck %s

sdy.mesh @mesh = <["a"=2]>

// There is nothing to choose, and no memory to price.
// CHECK-LABEL: func.func @main() {
// CHECK-NEXT:    return
func.func @main() {
  return
}
