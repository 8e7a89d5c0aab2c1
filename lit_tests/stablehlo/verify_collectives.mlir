// Collectives: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// Two parts of each.
func.func @all_gather(%arg0: tensor<2x?xf32>, %arg1: tensor<3x2xf32>) {
  %0:2 = "stablehlo.all_gather"(%arg0, %arg1) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x?xf32>, tensor<3x2xf32>) -> (tensor<4x3xf32>, tensor<6x2xf32>)
  return
}

// An id twice.
func.func @all_gather_c2(%arg0: tensor<2x?xf32>, %arg1: tensor<3x2xf32>) {
  // expected-error@+1 {{(all_gather_c2)}}
  %0:2 = "stablehlo.all_gather"(%arg0, %arg1) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<2x?xf32>, tensor<3x2xf32>) -> (tensor<4x3xf32>, tensor<6x2xf32>)
  return
}

// An id is missing.
func.func @all_gather_c4(%arg0: tensor<2x?xf32>, %arg1: tensor<3x2xf32>) {
  // expected-error@+1 {{(all_gather_c4)}}
  %0:2 = "stablehlo.all_gather"(%arg0, %arg1) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 4]]> : tensor<2x2xi64>} : (tensor<2x?xf32>, tensor<3x2xf32>) -> (tensor<4x3xf32>, tensor<6x2xf32>)
  return
}

// One dimension.
func.func @all_gather_c4_rank(%arg0: tensor<2x?xf32>, %arg1: tensor<3x2xf32>) {
  // expected-error@+1 {{(all_gather_c4)}}
  %0:2 = "stablehlo.all_gather"(%arg0, %arg1) {all_gather_dim = 0 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>} : (tensor<2x?xf32>, tensor<3x2xf32>) -> (tensor<4x3xf32>, tensor<6x2xf32>)
  return
}

// No group is short.
func.func @all_gather_c4_ragged(%arg0: tensor<2x?xf32>, %arg1: tensor<3x2xf32>) {
  // expected-error@+1 {{(all_gather_c4)}}
  %0:2 = "stablehlo.all_gather"(%arg0, %arg1) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>} : (tensor<2x?xf32>, tensor<3x2xf32>) -> (tensor<4x3xf32>, tensor<6x2xf32>)
  return
}

// No such dimension.
func.func @all_gather_c1(%arg0: tensor<2x?xf32>, %arg1: tensor<3x2xf32>) {
  // expected-error@+1 {{(all_gather_c1)}}
  %0:2 = "stablehlo.all_gather"(%arg0, %arg1) {all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x?xf32>, tensor<3x2xf32>) -> (tensor<4x3xf32>, tensor<6x2xf32>)
  return
}

// Global ids without a channel.
func.func @all_gather_c5(%arg0: tensor<2x?xf32>, %arg1: tensor<3x2xf32>) {
  // expected-error@+1 {{(all_gather_c5)}}
  %0:2 = "stablehlo.all_gather"(%arg0, %arg1) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids} : (tensor<2x?xf32>, tensor<3x2xf32>) -> (tensor<4x3xf32>, tensor<6x2xf32>)
  return
}

// With a channel.
func.func @all_gather_global(%arg0: tensor<2x?xf32>, %arg1: tensor<3x2xf32>) {
  %0:2 = "stablehlo.all_gather"(%arg0, %arg1) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<2x?xf32>, tensor<3x2xf32>) -> (tensor<4x3xf32>, tensor<6x2xf32>)
  return
}

// Three parts of groups of two.
func.func @all_gather_c6(%arg0: tensor<2x?xf32>, %arg1: tensor<3x2xf32>) {
  // expected-error@+1 {{(all_gather_c6)}}
  %0:2 = "stablehlo.all_gather"(%arg0, %arg1) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x?xf32>, tensor<3x2xf32>) -> (tensor<6x3xf32>, tensor<6x2xf32>)
  return
}

// Another dimension differs.
func.func @all_gather_c6_2(%arg0: tensor<2x5xf32>, %arg1: tensor<3x2xf32>) {
  // expected-error@+1 {{(all_gather_c6)}}
  %0:2 = "stablehlo.all_gather"(%arg0, %arg1) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x5xf32>, tensor<3x2xf32>) -> (tensor<4x3xf32>, tensor<6x2xf32>)
  return
}

// Element types differ.
func.func @all_gather_c6_3(%arg0: tensor<2x?xf32>, %arg1: tensor<3x2xf32>) {
  // expected-error@+1 {{(all_gather_c6)}}
  %0:2 = "stablehlo.all_gather"(%arg0, %arg1) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x?xf32>, tensor<3x2xf32>) -> (tensor<4x3xf64>, tensor<6x2xf32>)
  return
}

// No multiple of the operand's size, whatever the number of all processes is.
func.func @all_gather_c6_4(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(all_gather_c6)}}
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>} : (tensor<2x3xf32>) -> tensor<5x3xf32>
  return
}

// Parts are added up.
func.func @all_reduce(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// An id twice.
func.func @all_reduce_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(all_reduce_c1)}}
  %0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// An id is missing.
func.func @all_reduce_c3(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(all_reduce_c3)}}
  %0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 4]]> : tensor<2x2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// One dimension.
func.func @all_reduce_c3_rank(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(all_reduce_c3)}}
  %0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[0, 1]> : tensor<2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// A group of one.
func.func @all_reduce_ragged(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// Global ids without a channel.
func.func @all_reduce_c4(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(all_reduce_c4)}}
  %0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// A body of other numbers.
func.func @all_reduce_c5(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(all_reduce_c5)}}
  %0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      stablehlo.return %a0 : tensor<i32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xi32>
  return
}

// A body of vectors.
func.func @all_reduce_c5_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(all_reduce_c5)}}
  %0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%a0: tensor<2xf32>, %a1: tensor<2xf32>):
      stablehlo.return %a0 : tensor<2xf32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @all_reduce_c6(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(all_reduce_c6)}}
  %0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x?xf32>) -> tensor<3x3xf32>
  return
}

// A part of the sum.
func.func @reduce_scatter(%arg0: tensor<4x?xf32>) {
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x3xf32>
  return
}

// An id twice.
func.func @reduce_scatter_c3(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(reduce_scatter_c3)}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x3xf32>
  return
}

// An id is missing.
func.func @reduce_scatter_c5(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(reduce_scatter_c5)}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 4]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x3xf32>
  return
}

// One dimension.
func.func @reduce_scatter_c5_rank(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(reduce_scatter_c5)}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>} : (tensor<4x?xf32>) -> tensor<2x3xf32>
  return
}

// No group is short.
func.func @reduce_scatter_c5_ragged(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(reduce_scatter_c5)}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x3xf32>
  return
}

// No such dimension.
func.func @reduce_scatter_c2(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(reduce_scatter_c2)}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x3xf32>
  return
}

// Global ids without a channel.
func.func @reduce_scatter_c6(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(reduce_scatter_c6)}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids} : (tensor<4x?xf32>) -> tensor<2x3xf32>
  return
}

// A body of other numbers.
func.func @reduce_scatter_c7(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(reduce_scatter_c7)}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      stablehlo.return %a0 : tensor<i32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x3xf32>
  return
}

// Ranks differ.
func.func @reduce_scatter_c8(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(reduce_scatter_c8)}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2xf32>
  return
}

// A fourth of it, in groups of two.
func.func @reduce_scatter_c8_2(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(reduce_scatter_c8)}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<1x3xf32>
  return
}

// Another element type than the body's.
func.func @reduce_scatter_c9(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(reduce_scatter_c9)}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x3xf64>
  return
}

// Parts are exchanged.
func.func @all_to_all(%arg0: tensor<4x?xf32>) {
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x6xf32>
  return
}

// An id twice.
func.func @all_to_all_c5(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(all_to_all_c5)}}
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x6xf32>
  return
}

// An id is missing.
func.func @all_to_all_c7(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(all_to_all_c7)}}
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 4]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x6xf32>
  return
}

// One dimension.
func.func @all_to_all_c7_rank(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(all_to_all_c7)}}
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>} : (tensor<4x?xf32>) -> tensor<2x6xf32>
  return
}

// No group is short.
func.func @all_to_all_c7_ragged(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(all_to_all_c7)}}
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x6xf32>
  return
}

// No such dimension.
func.func @all_to_all_c1(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(all_to_all_c1)}}
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 2 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x6xf32>
  return
}

// Not divisible.
func.func @all_to_all_c2(%arg0: tensor<5x3xf32>) {
  // expected-error@+1 {{(all_to_all_c2)}}
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<5x3xf32>) -> tensor<2x6xf32>
  return
}

// No such dimension.
func.func @all_to_all_c3(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(all_to_all_c3)}}
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 0 : i64, concat_dimension = 2 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x6xf32>
  return
}

// Groups of another size.
func.func @all_to_all_c8(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(all_to_all_c8)}}
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x6xf32>
  return
}

// The result has another shape.
func.func @all_to_all_c9(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(all_to_all_c9)}}
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<4x3xf32>
  return
}

// The result has another element type.
func.func @all_to_all_c9_2(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(all_to_all_c9)}}
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x?xf32>) -> tensor<2x6xf64>
  return
}

// To one of each group.
func.func @collective_reduce(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.collective_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// An id twice.
func.func @collective_reduce_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(collective_reduce_c1)}}
  %0 = "stablehlo.collective_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// An id is missing.
func.func @collective_reduce_c2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(collective_reduce_c2)}}
  %0 = "stablehlo.collective_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 4]]> : tensor<2x2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// One dimension.
func.func @collective_reduce_c2_rank(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(collective_reduce_c2)}}
  %0 = "stablehlo.collective_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[0, 1]> : tensor<2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// A group of one.
func.func @collective_reduce_ragged(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.collective_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @collective_reduce_c3(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(collective_reduce_c3)}}
  %0 = "stablehlo.collective_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x?xf32>) -> tensor<3x3xf32>
  return
}

// A body of other numbers.
func.func @collective_reduce_c4(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(collective_reduce_c4)}}
  %0 = "stablehlo.collective_reduce"(%arg0) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>):
      stablehlo.return %a0 : tensor<i32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// From the first of each group.
func.func @collective_broadcast(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<?xf32>) -> tensor<2xf32>
  return
}

// An id twice.
func.func @collective_broadcast_c1(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(collective_broadcast_c1)}}
  %0 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<?xf32>) -> tensor<2xf32>
  return
}

// A negative id.
func.func @collective_broadcast_c2(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(collective_broadcast_c2)}}
  %0 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>} : (tensor<?xf32>) -> tensor<2xf32>
  return
}

// The result has another shape.
func.func @collective_broadcast_c3(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{(collective_broadcast_c3)}}
  %0 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<3xf32>) -> tensor<2xf32>
  return
}

// In a circle.
func.func @collective_permute(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<?xf32>) -> tensor<2xf32>
  return
}

// Triples.
func.func @collective_permute_c1(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(collective_permute_c1)}}
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<?xf32>) -> tensor<2xf32>
  return
}

// A source twice.
func.func @collective_permute_c2(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(collective_permute_c2)}}
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<?xf32>) -> tensor<2xf32>
  return
}

// A target twice.
func.func @collective_permute_c3(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(collective_permute_c3)}}
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>} : (tensor<?xf32>) -> tensor<2xf32>
  return
}

// A negative id.
func.func @collective_permute_c4(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(collective_permute_c4)}}
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>} : (tensor<?xf32>) -> tensor<2xf32>
  return
}

// The result has another shape.
func.func @collective_permute_c5(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{(collective_permute_c5)}}
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<3xf32>) -> tensor<2xf32>
  return
}

// The roots of the groups, of two operands.
func.func @collective_broadcast_roots(%arg0: tensor<?xf32>, %arg1: tensor<3xi8>, %arg2: tensor<2xi32>) {
  %0:2 = "stablehlo.collective_broadcast"(%arg0, %arg1, %arg2) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, has_dynamic_root} : (tensor<?xf32>, tensor<3xi8>, tensor<2xi32>) -> (tensor<2xf32>, tensor<3xi8>)
  return
}

// A root for each operand.
func.func @collective_broadcast_c4(%arg0: tensor<2xf32>, %arg1: tensor<2xi32>) {
  // expected-error@+1 {{(collective_broadcast_c4)}}
  %0 = "stablehlo.collective_broadcast"(%arg0, %arg1) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, has_dynamic_root} : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// The body returns another element type.
func.func @all_reduce_c7(%arg0: tensor<4x?xf32>) {
  // expected-error@+1 {{(all_reduce_c7)}}
  %0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4x?xf32>) -> tensor<4x?xf64>
  return
}

// Nothing is reduced.
func.func @collective_reduce_i1() {
  // expected-error@+1 {{(collective_reduce_i1)}}
  "stablehlo.collective_reduce"() ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : () -> ()
  return
}

// The roots are as many as the data.
func.func @collective_reduce_i1_2(%arg0: tensor<4xf32>, %arg1: tensor<2xi32>) {
  // expected-error@+1 {{(collective_reduce_i1)}}
  %0 = "stablehlo.collective_reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, has_dynamic_root} : (tensor<4xf32>, tensor<2xi32>) -> tensor<4xf32>
  return
}

// Four cannot be divided among three.
func.func @reduce_scatter_c1(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{(reduce_scatter_c1)}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      stablehlo.return %a0 : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// Two of four devices along an axis.
func.func @all_gather_axes(%arg0: tensor<2xf32>) {
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 4>]>, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// An axis twice.
func.func @all_gather_c2_axes(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{(all_gather_c2)}}
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 4>]>, axes = [#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "x">]>} : (tensor<2xf32>) -> tensor<32xf32>
  return
}

// A part of an axis twice.
func.func @all_gather_c2_sub_axes(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{(all_gather_c2)}}
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 4>]>, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>, #stablehlo.axis_ref<name = "x", sub_axis_info = (1)4>]>} : (tensor<2xf32>) -> tensor<16xf32>
  return
}

// Both parts of an axis.
func.func @all_gather_sub_axes(%arg0: tensor<2xf32>) {
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 4>]>, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>, #stablehlo.axis_ref<name = "x", sub_axis_info = (2)2>]>} : (tensor<2xf32>) -> tensor<8xf32>
  return
}
