// RUN: sdy-opt %s --sdy-apply-sharding-constraints --split-input-file --verify-diagnostics
// RUN: sdy-opt %s --sdy-add-func-data-flow-edges --split-input-file --verify-diagnostics

// Of several functions one has to be the main function.
// expected-error @below {{expected a function named 'main', or exactly one function}}
module {
  func.func @first() {
    return
  }
  func.func @second() {
    return
  }
}

// -----

// There has to be one.
// expected-error @below {{expected a function named 'main', or exactly one function}}
module {
}
