// RUN: sdy-opt %s --sdy-optimize-local-program=enable-patterns=equal-local-collectives | filecheck %s

// What neighbours send is sent once, by whichever channel.
// CHECK-LABEL: func.func @shifted_twice
func.func @shifted_twice(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[P:.*]] = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
  // CHECK-NEXT: stablehlo.add %[[P]], %[[P]]
  %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// To others, or of something else, it is sent as well.
// CHECK-LABEL: func.func @different
func.func @different(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-COUNT-3: collective_permute
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Sums and extremes of the same numbers are two things.
// CHECK-LABEL: func.func @reductions
func.func @reductions(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[S:.*]] = "stablehlo.all_reduce"(%arg0)
  // CHECK: stablehlo.add
  // CHECK: %[[M:.*]] = "stablehlo.all_reduce"(%arg0)
  // CHECK: stablehlo.maximum
  // CHECK-NOT: all_reduce
  // CHECK: return %[[S]], %[[M]], %[[S]]
  %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// What a body does that is more than one op nobody compares.
// CHECK-LABEL: func.func @long_body
func.func @long_body(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-COUNT-2: "stablehlo.all_reduce"(%arg0)
  %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    %3 = stablehlo.negate %2 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    %3 = stablehlo.abs %2 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// What a branch sends is not there behind it; what is sent before it is there inside.
// CHECK-LABEL: func.func @branches
func.func @branches(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[P:.*]] = "stablehlo.collective_permute"(%arg0)
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.if"(%arg2) ({
    // CHECK: %[[Q:.*]] = "stablehlo.collective_permute"(%arg1)
    // CHECK-NEXT: stablehlo.add %[[P]], %[[Q]]
    %3 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %5 = stablehlo.add %3, %4 : tensor<4xf32>
    stablehlo.return %5 : tensor<4xf32>
  }, {
    stablehlo.return %0 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  // CHECK: %[[R:.*]] = "stablehlo.collective_permute"(%arg1)
  // CHECK: return %{{.*}}, %[[R]]
  %2 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// What is made of both, and sent once more, is the same.
// CHECK-LABEL: func.func @chain
func.func @chain(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[P:.*]] = "stablehlo.collective_permute"(%arg0)
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[P]]
  // CHECK-NEXT: %[[A:.*]] = stablehlo.add %[[N]], %[[P]]
  // CHECK-NEXT: %[[Q:.*]] = "stablehlo.collective_permute"(%[[A]])
  // CHECK-NEXT: return %[[Q]], %[[Q]]
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.negate %0 : tensor<4xf32>
  %3 = stablehlo.add %2, %0 : tensor<4xf32>
  %4 = "stablehlo.collective_permute"(%3) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %5 = stablehlo.negate %1 : tensor<4xf32>
  %6 = stablehlo.add %5, %1 : tensor<4xf32>
  %7 = "stablehlo.collective_permute"(%6) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %4, %7 : tensor<4xf32>, tensor<4xf32>
}

// Where most is held in between, the rows of a neighbour are kept, and not what they are joined with.
// CHECK-LABEL: func.func @joined_again_behind_the_peak
func.func @joined_again_behind_the_peak(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK:      %[[D:.*]] = stablehlo.dot_general %arg0, %arg0
  // CHECK-NEXT: %[[X:.*]] = stablehlo.abs %[[D]]
  // CHECK:      %[[P:.*]] = "stablehlo.collective_permute"
  // CHECK-NEXT: %[[J:.*]] = stablehlo.concatenate %[[P]], %[[X]], dim = 0
  // CHECK-NEXT: stablehlo.dot_general %[[J]], %arg0
  %0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.abs %0 : tensor<8x8xf32>
  %2 = stablehlo.slice %1 [6:8, 0:8] : (tensor<8x8xf32>) -> tensor<2x8xf32>
  %3 = "stablehlo.collective_permute"(%2) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %4 = stablehlo.concatenate %3, %1, dim = 0 : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
  %5 = stablehlo.dot_general %4, %arg0, contracting_dims = [1] x [0] : (tensor<10x8xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
  // The peak.
  // CHECK: stablehlo.sort
  %6 = "stablehlo.sort"(%5) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %12 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %12 : tensor<i1>
  }) : (tensor<10x8xf32>) -> tensor<10x8xf32>
  // CHECK:      %[[R:.*]] = stablehlo.optimization_barrier %[[P]]
  // CHECK-NEXT: %[[K:.*]] = stablehlo.concatenate %[[R]], %[[X]], dim = 0
  // CHECK-NEXT: %[[G:.*]] = stablehlo.dot_general %[[K]],
  // CHECK-NEXT: %[[S:.*]] = stablehlo.sign %[[D]]
  // CHECK-NEXT: return %[[G]], %[[S]]
  %8 = "stablehlo.collective_permute"(%2) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %9 = stablehlo.concatenate %8, %1, dim = 0 : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
  %10 = stablehlo.dot_general %9, %6, contracting_dims = [0] x [0] : (tensor<10x8xf32>, tensor<10x8xf32>) -> tensor<8x8xf32>
  %11 = stablehlo.sign %0 : tensor<8x8xf32>
  return %10, %11 : tensor<8x8xf32>, tensor<8x8xf32>
}

// Without others who need what it is computed from, as much would be held.
// CHECK-LABEL: func.func @kept_joined
func.func @kept_joined(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: stablehlo.concatenate
  // CHECK-NOT: stablehlo.concatenate
  %0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.abs %0 : tensor<8x8xf32>
  %2 = stablehlo.slice %1 [6:8, 0:8] : (tensor<8x8xf32>) -> tensor<2x8xf32>
  %3 = "stablehlo.collective_permute"(%2) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %4 = stablehlo.concatenate %3, %1, dim = 0 : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
  %5 = stablehlo.dot_general %4, %arg0, contracting_dims = [1] x [0] : (tensor<10x8xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
  %6 = "stablehlo.sort"(%5) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %8 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %8 : tensor<i1>
  }) : (tensor<10x8xf32>) -> tensor<10x8xf32>
  %7 = stablehlo.dot_general %4, %6, contracting_dims = [0] x [0] : (tensor<10x8xf32>, tensor<10x8xf32>) -> tensor<8x8xf32>
  return %7 : tensor<8x8xf32>
}
