// RUN: sdy-opt %s --verify-diagnostics --sdy-prepare-executable='num-devices=2'

// expected-error@+1 {{needs 4 devices, but there are only 2}}
sdy.mesh @mesh = <["x"=4]>
