// RUN: rm -rf %t && mkdir %t
// RUN: sdy-opt %s --sdy-save-module='directory=%t file-name=plain' --sdy-save-module='directory=%t file-name=numbered index=7' | filecheck %s
// RUN: filecheck %s < %t/plain.mlir
// RUN: filecheck %s < %t/07.numbered.mlir
// RUN: sdy-opt %s --sdy-import-pipeline='dump-directory=%t dump-index=12' | filecheck %s
// RUN: filecheck %s < %t/12.before_propagation.mlir
// RUN: echo old > %t/00.again.mlir
// RUN: sdy-opt %s --sdy-save-module='directory=%t file-name=again index=0' | filecheck %s
// RUN: filecheck %s < %t/00.again.mlir
// RUN: sdy-opt %s --sdy-save-module='directory=%t file-name=many index=123' --sdy-save-module='file-name=nowhere' | filecheck %s
// RUN: filecheck %s < %t/123.many.mlir
// RUN: test ! -e nowhere.mlir
// RUN: sdy-opt %s --sdy-save-module='directory=%t/missing file-name=lost' 2>&1 | filecheck %s --check-prefix=LOST

// The module is written as it is printed, over an older file, and goes on unchanged. Without a directory nothing is
// written; a file that cannot be written is only reported.
// LOST: could not write {{.*}}lost.mlir

// CHECK-LABEL: func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:    return %arg0 : tensor<8xf32>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
