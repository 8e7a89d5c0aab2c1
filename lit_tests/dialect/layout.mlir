// RUN: sdy-opt %s | filecheck %s
// RUN: sdy-opt %s --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s --check-prefix=PLACE

// What looks like sdy in comments and strings stays as it is: "sdy.named_computation"(%0) ({ sdy.reshard "
#wrap = #sdy.sharding<@m, // a comment between tokens
    [{"a"}
    ]>
sdy.mesh @m = <["a"=2]> {note = "sdy.reshard %0 <@m, [{}]>", other = "#sdy.sharding<"}
// CHECK: sdy.mesh @m = <["a"=2]> {note = "sdy.reshard %0 <@m, [{}]>", other = "#sdy.sharding<"}

// CHECK-LABEL: func.func @spread
// CHECK-SAME: %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}
// PLACE-LABEL: func.func @spread
func.func @spread(%x: tensor<8xf32> {sdy.sharding = #wrap}) -> tensor<8xf32> {
  // An op over several lines, and two ops on one line, keep their places.
  // CHECK-NEXT: sdy.reshard %arg0 <@m, [{}]> {a = "//", b} : tensor<8xf32>
  // PLACE: sdy.reshard {{.*}} loc("{{.*}}layout.mlir":18:8)
  %0 = sdy.reshard // here
     %x <@m,
        [{}]> {a = "//",
           b} : tensor<8xf32>
  // CHECK-NEXT: stablehlo.negate
  // PLACE: stablehlo.negate {{.*}} loc("{{.*}}layout.mlir":26:8)
  // PLACE: sdy.reshard {{.*}} loc("{{.*}}layout.mlir":26:51)
  // PLACE: stablehlo.abs {{.*}} loc("{{.*}}layout.mlir":26:105)
  %1 = stablehlo.negate %0 : tensor<8xf32>   %2 = sdy.reshard %1 <@m, [{"a"}]> : tensor<8xf32>     %3 = stablehlo.abs %2 : tensor<8xf32>
  // CHECK: sdy.named_computation<"\C3\A9\E2\86\92">(%{{.*}}) (%arg1: tensor<8xf32>) {
  // PLACE: stablehlo.tanh {{.*}} loc("{{.*}}layout.mlir":29:73)
  %4 = sdy.named_computation<"é→">(%3) (%arg1: tensor<8xf32>) { %5 = stablehlo.tanh %arg1 : tensor<8xf32>
    sdy.return %5 : tensor<8xf32> } : (tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}
