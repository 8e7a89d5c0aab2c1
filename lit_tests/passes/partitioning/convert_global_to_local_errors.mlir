// RUN: sdy-opt %s --sdy-convert-global-to-local --split-input-file --verify-diagnostics

// Every device has a part of the same size.
sdy.mesh @mesh = <["x"=2]>
func.func @uneven(%arg0: tensor<7xf32>) {
  // expected-error @+1 {{has a value of type tensor<7xf32> that its sharding <@mesh, [{"x"}]> does not divide evenly}}
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
  return
}

// -----

// A value cannot move to another number of devices.
sdy.mesh @four = <["x"=4]>
sdy.mesh @two = <["x"=2]>
func.func @other_devices(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@four, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@two, [{"x"}]>}) {
  // expected-error @+1 {{moves a value from 4 to 2 devices}}
  %0 = sdy.reshard %arg0 <@two, [{"x"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Nobody knows where in a tensor of dynamic size the parts are.
sdy.mesh @mesh = <["x"=2]>
func.func @dynamic(%arg0: tensor<?x8xf32>) {
  // expected-error @+1 {{moves parts of a tensor of dynamic size}}
  %0 = sdy.all_slice [{}, {"x"}] %arg0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<?x8xf32>
  return
}

// -----

// Nor can a device scatter into neutral elements of a dynamic size.
sdy.mesh @mesh = <["x"=2]>
func.func @scatter(%table: tensor<16x?xf32>, %i: tensor<8x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %rows: tensor<8x?xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // expected-error @+1 {{combines sharded updates with a value of type tensor<16x?xf32>, of dynamic size}}
  %0 = "stablehlo.scatter"(%table, %i, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}
    : (tensor<16x?xf32>, tensor<8x1xi32>, tensor<8x?xf32>) -> tensor<16x?xf32>
  return
}

// -----

// Where parts begin is looked up as a number of 32 bits.
sdy.mesh @mesh = <["x"=2]>
func.func @long(%arg0: tensor<8589934592xi8>) {
  // expected-error @+1 {{needs an index of 4294967296, which does not fit type i32}}
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<8589934592xi8>
  return
}

// -----

// A size is a number of 32 bits by its type.
sdy.mesh @mesh = <["x"=2]>
func.func @size(%arg0: tensor<4294967296xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<i32> {
  // expected-error @+1 {{needs an index of 4294967296, which does not fit type i32}}
  %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<4294967296xi8>) -> tensor<i32>
  return %0 : tensor<i32>
}
