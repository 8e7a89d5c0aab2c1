// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    %1 = mpmd.named_computation<"g"> (%a) (%b: tensor<4xf32>) {
      %2 = mpmd.named_tensor %b name="x" : tensor<4xf32>
      %3 = mpmd.broadcast %2 : tensor<4xf32>
      %4 = mpmd.named_computation<"h"> (%3) (%c: tensor<4xf32>) {
        %5 = mpmd.reduce<none> %c : (tensor<4xf32>) -> tensor<4xf32>
        mpmd.return %5 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      %6 = stablehlo.add %4, %4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %1 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
// refused
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
      %2 = mpmd.named_tensor %a name="x" : tensor<4xf32>
    mpmd.return %2 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mpmd.named_tensor %0 name="y" : tensor<4xf32>
  %2 = mpmd.named_tensor %0 name="z" : tensor<4xf32>
  %3:2 = mpmd.named_computation<"f"(1)> (%1, %2, %1) (%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
    mpmd.return %a, %b : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %3#1 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %1 = mpmd.named_tensor %0 name="y" : tensor<4xf32>
    %2 = mpmd.named_tensor %0 name="z" : tensor<4xf32>
    %3:2 = mpmd.named_computation<"f"(1)> (%1, %2, %1) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      mpmd.return %arg1, %arg2 : tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %3#1 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1}'
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = "stablehlo.if"(%p) ({
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
   stablehlo.return %0 : tensor<4xf32>
   }, {
   stablehlo.return %arg0 : tensor<4xf32>
   }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<i1>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = "stablehlo.if"(%arg1) ({
      %1 = mpmd.named_computation<"f"> (%arg0) (%arg2: tensor<4xf32>) {
        mpmd.return %arg2 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }, {
      stablehlo.return %arg0 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1,g@m1}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    %1 = mpmd.named_computation<"g"> (%a) (%b: tensor<4xf32>) {
      %2 = mpmd.named_tensor %b name="x" : tensor<4xf32>
      %3 = mpmd.broadcast %2 : tensor<4xf32>
      %4 = mpmd.named_computation<"h"> (%3) (%c: tensor<4xf32>) {
        %5 = mpmd.reduce<none> %c : (tensor<4xf32>) -> tensor<4xf32>
        mpmd.return %5 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      %6 = stablehlo.add %4, %4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %1 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      %1 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1,g@m1}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
      %2 = mpmd.named_tensor %a name="x" : tensor<4xf32>
    mpmd.return %2 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mpmd.named_tensor %0 name="y" : tensor<4xf32>
  %2 = mpmd.named_tensor %0 name="z" : tensor<4xf32>
  %3:2 = mpmd.named_computation<"f"(1)> (%1, %2, %1) (%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
    mpmd.return %a, %b : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %3#1 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %1 = mpmd.named_tensor %0 name="y" : tensor<4xf32>
    %2 = mpmd.named_tensor %0 name="z" : tensor<4xf32>
    %3:2 = mpmd.named_computation<"f"(1)> (%1, %2, %1) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      mpmd.return %arg1, %arg2 : tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %3#1 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1,g@m1}'
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1,g@m1}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = "stablehlo.if"(%p) ({
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
   stablehlo.return %0 : tensor<4xf32>
   }, {
   stablehlo.return %arg0 : tensor<4xf32>
   }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<i1>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = "stablehlo.if"(%arg1) ({
      %1 = mpmd.named_computation<"f"> (%arg0) (%arg2: tensor<4xf32>) {
        mpmd.return %arg2 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }, {
      stablehlo.return %arg0 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1/1,g@m1/1,h@m1/1,x@m2}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    %1 = mpmd.named_computation<"g"> (%a) (%b: tensor<4xf32>) {
      %2 = mpmd.named_tensor %b name="x" : tensor<4xf32>
      %3 = mpmd.broadcast %2 : tensor<4xf32>
      %4 = mpmd.named_computation<"h"> (%3) (%c: tensor<4xf32>) {
        %5 = mpmd.reduce<none> %c : (tensor<4xf32>) -> tensor<4xf32>
        mpmd.return %5 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      %6 = stablehlo.add %4, %4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %1 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
// refused
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1/1,g@m1/1,h@m1/1,x@m2}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
      %2 = mpmd.named_tensor %a name="x" : tensor<4xf32>
    mpmd.return %2 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mpmd.named_tensor %0 name="y" : tensor<4xf32>
  %2 = mpmd.named_tensor %0 name="z" : tensor<4xf32>
  %3:2 = mpmd.named_computation<"f"(1)> (%1, %2, %1) (%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
    mpmd.return %a, %b : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %3#1 : tensor<4xf32>
}
// ==>
// refused
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1/1,g@m1/1,h@m1/1,x@m2}'
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1/1,g@m1/1,h@m1/1,x@m2}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = "stablehlo.if"(%p) ({
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
   stablehlo.return %0 : tensor<4xf32>
   }, {
   stablehlo.return %arg0 : tensor<4xf32>
   }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<i1>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = "stablehlo.if"(%arg1) ({
      %1 = mpmd.named_computation<"f"> (%arg0) (%arg2: tensor<4xf32>) {
        mpmd.return %arg2 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }, {
      stablehlo.return %arg0 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1/1,g@m1/1,h@m1}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    %1 = mpmd.named_computation<"g"> (%a) (%b: tensor<4xf32>) {
      %2 = mpmd.named_tensor %b name="x" : tensor<4xf32>
      %3 = mpmd.broadcast %2 : tensor<4xf32>
      %4 = mpmd.named_computation<"h"> (%3) (%c: tensor<4xf32>) {
        %5 = mpmd.reduce<none> %c : (tensor<4xf32>) -> tensor<4xf32>
        mpmd.return %5 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      %6 = stablehlo.add %4, %4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %1 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
// refused
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1/1,g@m1/1,h@m1}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
      %2 = mpmd.named_tensor %a name="x" : tensor<4xf32>
    mpmd.return %2 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mpmd.named_tensor %0 name="y" : tensor<4xf32>
  %2 = mpmd.named_tensor %0 name="z" : tensor<4xf32>
  %3:2 = mpmd.named_computation<"f"(1)> (%1, %2, %1) (%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
    mpmd.return %a, %b : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %3#1 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %1 = mpmd.named_tensor %0 name="y" : tensor<4xf32>
    %2 = mpmd.named_tensor %0 name="z" : tensor<4xf32>
    %3:2 = mpmd.named_computation<"f"(1)> (%1, %2, %1) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      mpmd.return %arg1, %arg2 : tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %3#1 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1/1,g@m1/1,h@m1}'
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1/1,g@m1/1,h@m1}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = "stablehlo.if"(%p) ({
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
   stablehlo.return %0 : tensor<4xf32>
   }, {
   stablehlo.return %arg0 : tensor<4xf32>
   }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<i1>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = "stablehlo.if"(%arg1) ({
      %1 = mpmd.named_computation<"f"> (%arg0) (%arg2: tensor<4xf32>) {
        mpmd.return %arg2 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }, {
      stablehlo.return %arg0 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1/1,g@m1/1,h@m1/1,x@m1/2}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    %1 = mpmd.named_computation<"g"> (%a) (%b: tensor<4xf32>) {
      %2 = mpmd.named_tensor %b name="x" : tensor<4xf32>
      %3 = mpmd.broadcast %2 : tensor<4xf32>
      %4 = mpmd.named_computation<"h"> (%3) (%c: tensor<4xf32>) {
        %5 = mpmd.reduce<none> %c : (tensor<4xf32>) -> tensor<4xf32>
        mpmd.return %5 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      %6 = stablehlo.add %4, %4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %1 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      %1 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1/1,g@m1/1,h@m1/1,x@m1/2}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
      %2 = mpmd.named_tensor %a name="x" : tensor<4xf32>
    mpmd.return %2 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mpmd.named_tensor %0 name="y" : tensor<4xf32>
  %2 = mpmd.named_tensor %0 name="z" : tensor<4xf32>
  %3:2 = mpmd.named_computation<"f"(1)> (%1, %2, %1) (%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
    mpmd.return %a, %b : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %3#1 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %1 = mpmd.named_tensor %0 name="y" : tensor<4xf32>
    %2 = mpmd.named_tensor %0 name="z" : tensor<4xf32>
    %3:2 = mpmd.named_computation<"f"(1)> (%1, %2, %1) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      mpmd.return %arg1, %arg2 : tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %3#1 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1/1,g@m1/1,h@m1/1,x@m1/2}'
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-inline-nested-user-exposed-ops{assignment=f@m1/1,g@m1/1,h@m1/1,x@m1/2}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = "stablehlo.if"(%p) ({
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
   stablehlo.return %0 : tensor<4xf32>
   }, {
   stablehlo.return %arg0 : tensor<4xf32>
   }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<i1>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = "stablehlo.if"(%arg1) ({
      %1 = mpmd.named_computation<"f"> (%arg0) (%arg2: tensor<4xf32>) {
        mpmd.return %arg2 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }, {
      stablehlo.return %arg0 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
