// What cannot be asked for is said at the module or at the op that is in the way, and nothing is printed.

// RUN: not sdy-opt %s --sdy-auto-partition='mesh=y:2 axes=z' 2>&1 | filecheck %s --check-prefix=AXIS
// AXIS: error: 'builtin.module' op has no mesh axis 'z' to plan with, but y
// RUN: not sdy-opt %s --sdy-auto-partition 2>&1 | filecheck %s --check-prefix=NONE
// NONE: error: 'builtin.module' op has no mesh; option 'mesh' says which one to plan for
// RUN: not sdy-opt %s --sdy-auto-partition='mesh=y' 2>&1 | filecheck %s --check-prefix=MESH
// MESH: error: {{.*}}a mesh is written as data:4,model:2 or 4x2, not with 'y'
// RUN: not sdy-opt %s --sdy-auto-partition='mesh=4 memory-limit=3XB' 2>&1 | filecheck %s --check-prefix=UNIT
// UNIT: error: {{.*}}bytes are a number and a unit such as 60GiB or 80GB, not '3XB'
// RUN: sdy-opt %s --sdy-auto-partition='mesh=4 memory-limit=soft machine="flops=1e12 bandwidth=1e9 memory=256" time-limit=0' | filecheck %s --check-prefix=SOFT
// SOFT: func.func @main(%arg0: tensor<256xf32> {sdy.sharding
// RUN: not sdy-opt %s --sdy-auto-partition='mesh=4 time-limit=-1' 2>&1 | filecheck %s --check-prefix=TIME
// TIME: error: {{.*}}a time limit is a number of seconds, not -1
// RUN: not sdy-opt %s --sdy-auto-partition='mesh=4 memory-limit=256B' 2>&1 | filecheck %s --check-prefix=LIMIT
// LIMIT: auto_partition_refusals.mlir:[[# @LINE + 1]]:1: error: 'func.func' op needs at least 768 bytes on each of 4 devices at {{.*}}, in equal parts, and the limit of memory is 256; the whole is 1,024 of {{.*}}:[[# @LINE + 1]]:17; 1,024 of {{.*}}:[[# @LINE + 1]]:38; 1,024 of {{.*}}:[[# @LINE + 2]]:8
func.func @main(%x: tensor<256xf32>, %y: tensor<256xf32>) -> tensor<256xf32> {
  %0 = stablehlo.add %x, %y : tensor<256xf32>
  return %0 : tensor<256xf32>
}
