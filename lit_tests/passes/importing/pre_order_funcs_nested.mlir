// RUN: sdy-opt %s --sdy-pre-order-funcs --split-input-file --verify-diagnostics | filecheck %s

// Functions of modules in the module come out of them, also a callee before its caller in the text.

// CHECK:      module @inner {
// CHECK-NEXT:   func.func private @declared()
// CHECK-NEXT:   module @deep {
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: func.func @last() {
// CHECK:      func.func private @caller() {
// CHECK:      func.func private @callee() {
// CHECK:      func.func @main() {

func.func @main() {
  return
}

module @inner {
  func.func private @declared()

  module @deep {
    func.func private @callee() {
      return
    }

    func.func private @caller() {
      call @callee() : () -> ()
      return
    }
  }
}

func.func @last() {
  return
}

// -----

// Two functions of one name would meet.
func.func @main() {
  return
}

module @inner {
  // expected-error @+1 {{'func.func' op cannot be moved out of its module, where there is another 'main'}}
  func.func @main() {
    return
  }
}
