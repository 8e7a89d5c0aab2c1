// RUN: sdy-opt %s --sdy-drop-kept-bytes-limit | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: () attributes {other = 1 : i64} {
func.func @main() attributes {other = 1 : i64, sdy.kept_bytes_limit = 1024 : i64} {
  return
}
