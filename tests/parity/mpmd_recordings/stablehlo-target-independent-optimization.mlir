// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>) {
%1 = stablehlo.constant dense<1.0> : tensor<4xf32>
%0 = stablehlo.divide %a, %1 : tensor<4xf32>
return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %0 = stablehlo.divide %arg0, %cst : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
%1 = stablehlo.constant dense<[1.0,2.0,3.0,4.0]> : tensor<4xf32>
%2 = stablehlo.constant dense<2.0> : tensor<4xf32>
%0 = stablehlo.divide %1, %2 : tensor<4xf32>
%3 = stablehlo.remainder %1, %2 : tensor<4xf32>
%4 = stablehlo.maximum %1, %2 : tensor<4xf32>
%5 = stablehlo.minimum %1, %2 : tensor<4xf32>
%6 = stablehlo.power %1, %2 : tensor<4xf32>
%7 = stablehlo.multiply %1, %2 : tensor<4xf32>
%8 = stablehlo.subtract %1, %2 : tensor<4xf32>
%9 = stablehlo.atan2 %1, %2 : tensor<4xf32>
return %0, %3, %4, %5, %6, %7, %8, %9 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %cst = stablehlo.constant dense<[-1.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<[2.000000e+00, 4.000000e+00, 6.000000e+00, 8.000000e+00]> : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %cst_3 = stablehlo.constant dense<[5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00]> : tensor<4xf32>
    %cst_4 = stablehlo.constant dense<[1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00]> : tensor<4xf32>
    %cst_5 = stablehlo.constant dense<[2.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
    %cst_6 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00]> : tensor<4xf32>
    %0 = stablehlo.power %cst_1, %cst_2 : tensor<4xf32>
    %1 = stablehlo.atan2 %cst_1, %cst_2 : tensor<4xf32>
    return %cst_3, %cst_4, %cst_5, %cst_6, %0, %cst_0, %cst, %1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
%1 = stablehlo.constant dense<2.0> : tensor<4xf32>
%2 = stablehlo.constant dense<3.0> : tensor<4xf32>
%0 = stablehlo.divide %1, %2 : tensor<4xf32>
%3 = stablehlo.remainder %1, %2 : tensor<4xf32>
%4 = stablehlo.maximum %1, %2 : tensor<4xf32>
%5 = stablehlo.minimum %1, %2 : tensor<4xf32>
%6 = stablehlo.power %1, %2 : tensor<4xf32>
%7 = stablehlo.multiply %1, %2 : tensor<4xf32>
%8 = stablehlo.subtract %1, %2 : tensor<4xf32>
%9 = stablehlo.atan2 %1, %2 : tensor<4xf32>
return %0, %3, %4, %5, %6, %7, %8, %9 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %cst = stablehlo.constant dense<-1.000000e+00> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %cst_2 = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
    %cst_3 = stablehlo.constant dense<0.666666686> : tensor<4xf32>
    %0 = stablehlo.power %cst_1, %cst_2 : tensor<4xf32>
    %1 = stablehlo.atan2 %cst_1, %cst_2 : tensor<4xf32>
    return %cst_3, %cst_1, %cst_2, %cst_1, %0, %cst_0, %cst, %1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
%1 = stablehlo.constant dense<[0.5,2.0,-3.25,4.0]> : tensor<4xf32>
%2 = stablehlo.abs %1 : tensor<4xf32>
%3 = stablehlo.cosine %1 : tensor<4xf32>
%4 = stablehlo.exponential %1 : tensor<4xf32>
%5 = stablehlo.log %1 : tensor<4xf32>
%6 = stablehlo.logistic %1 : tensor<4xf32>
%7 = stablehlo.negate %1 : tensor<4xf32>
%8 = stablehlo.rsqrt %1 : tensor<4xf32>
%9 = stablehlo.sign %1 : tensor<4xf32>
%10 = stablehlo.sine %1 : tensor<4xf32>
%11 = stablehlo.sqrt %1 : tensor<4xf32>
%12 = stablehlo.tan %1 : tensor<4xf32>
%13 = stablehlo.tanh %1 : tensor<4xf32>
%14 = stablehlo.floor %1 : tensor<4xf32>
%15 = stablehlo.ceil %1 : tensor<4xf32>
%16 = stablehlo.round_nearest_afz %1 : tensor<4xf32>
%17 = stablehlo.round_nearest_even %1 : tensor<4xf32>
%18 = stablehlo.cbrt %1 : tensor<4xf32>
%19 = stablehlo.exponential_minus_one %1 : tensor<4xf32>
%20 = stablehlo.log_plus_one %1 : tensor<4xf32>
return %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %cst = stablehlo.constant dense<[0.000000e+00, 2.000000e+00, -3.000000e+00, 4.000000e+00]> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, -3.000000e+00, 4.000000e+00]> : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<[0.462117165, 0.964027583, -0.996997654, 0.999329328]> : tensor<4xf32>
    %cst_2 = stablehlo.constant dense<[0.546302497, -2.18503976, -0.108834028, 1.1578213]> : tensor<4xf32>
    %cst_3 = stablehlo.constant dense<[0.47942555, 0.909297406, 0.108195134, -0.756802499]> : tensor<4xf32>
    %cst_4 = stablehlo.constant dense<[1.000000e+00, 1.000000e+00, -1.000000e+00, 1.000000e+00]> : tensor<4xf32>
    %cst_5 = stablehlo.constant dense<[-5.000000e-01, -2.000000e+00, 3.250000e+00, -4.000000e+00]> : tensor<4xf32>
    %cst_6 = stablehlo.constant dense<[0.622459352, 0.880797088, 0.0373268872, 0.982013761]> : tensor<4xf32>
    %cst_7 = stablehlo.constant dense<[5.000000e-01, 2.000000e+00, -3.250000e+00, 4.000000e+00]> : tensor<4xf32>
    %cst_8 = stablehlo.constant dense<[5.000000e-01, 2.000000e+00, 3.250000e+00, 4.000000e+00]> : tensor<4xf32>
    %cst_9 = stablehlo.constant dense<[0.87758255, -0.416146845, -0.994129657, -0.653643608]> : tensor<4xf32>
    %cst_10 = stablehlo.constant dense<[1.64872122, 7.3890562, 0.0387742072, 54.5981483]> : tensor<4xf32>
    %0 = stablehlo.log %cst_7 : tensor<4xf32>
    %1 = stablehlo.rsqrt %cst_7 : tensor<4xf32>
    %2 = stablehlo.sqrt %cst_7 : tensor<4xf32>
    %3 = stablehlo.floor %cst_7 : tensor<4xf32>
    %4 = stablehlo.ceil %cst_7 : tensor<4xf32>
    %5 = stablehlo.cbrt %cst_7 : tensor<4xf32>
    %6 = stablehlo.exponential_minus_one %cst_7 : tensor<4xf32>
    %7 = stablehlo.log_plus_one %cst_7 : tensor<4xf32>
    return %cst_8, %cst_9, %cst_10, %0, %cst_6, %cst_5, %1, %cst_4, %cst_3, %2, %cst_2, %cst_1, %3, %4, %cst_0, %cst, %5, %6, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
%1 = stablehlo.constant dense<0.7> : tensor<4xf32>
%2 = stablehlo.abs %1 : tensor<4xf32>
%3 = stablehlo.cosine %1 : tensor<4xf32>
%4 = stablehlo.exponential %1 : tensor<4xf32>
%5 = stablehlo.log %1 : tensor<4xf32>
%6 = stablehlo.logistic %1 : tensor<4xf32>
%7 = stablehlo.negate %1 : tensor<4xf32>
%8 = stablehlo.rsqrt %1 : tensor<4xf32>
%9 = stablehlo.sign %1 : tensor<4xf32>
%10 = stablehlo.sine %1 : tensor<4xf32>
%11 = stablehlo.sqrt %1 : tensor<4xf32>
%12 = stablehlo.tan %1 : tensor<4xf32>
%13 = stablehlo.tanh %1 : tensor<4xf32>
%14 = stablehlo.floor %1 : tensor<4xf32>
%15 = stablehlo.ceil %1 : tensor<4xf32>
%16 = stablehlo.round_nearest_afz %1 : tensor<4xf32>
%17 = stablehlo.round_nearest_even %1 : tensor<4xf32>
%18 = stablehlo.cbrt %1 : tensor<4xf32>
%19 = stablehlo.exponential_minus_one %1 : tensor<4xf32>
%20 = stablehlo.log_plus_one %1 : tensor<4xf32>
return %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %cst = stablehlo.constant dense<0.699999988> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0.764842212> : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<2.0137527> : tensor<4xf32>
    %cst_2 = stablehlo.constant dense<-0.356674969> : tensor<4xf32>
    %cst_3 = stablehlo.constant dense<0.668187797> : tensor<4xf32>
    %cst_4 = stablehlo.constant dense<-0.699999988> : tensor<4xf32>
    %cst_5 = stablehlo.constant dense<1.19522858> : tensor<4xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %cst_7 = stablehlo.constant dense<0.644217669> : tensor<4xf32>
    %cst_8 = stablehlo.constant dense<8.366600e-01> : tensor<4xf32>
    %cst_9 = stablehlo.constant dense<0.842288374> : tensor<4xf32>
    %cst_10 = stablehlo.constant dense<0.604367793> : tensor<4xf32>
    %0 = stablehlo.floor %cst : tensor<4xf32>
    %1 = stablehlo.ceil %cst : tensor<4xf32>
    %2 = stablehlo.cbrt %cst : tensor<4xf32>
    %3 = stablehlo.exponential_minus_one %cst : tensor<4xf32>
    %4 = stablehlo.log_plus_one %cst : tensor<4xf32>
    return %cst, %cst_0, %cst_1, %cst_2, %cst_3, %cst_4, %cst_5, %cst_6, %cst_7, %cst_8, %cst_9, %cst_10, %0, %1, %cst_6, %cst_6, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main() -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
%1 = stablehlo.constant dense<[1,2,3,-7]> : tensor<4xi32>
%2 = stablehlo.constant dense<2> : tensor<4xi32>
%0 = stablehlo.divide %1, %2 : tensor<4xi32>
%3 = stablehlo.remainder %1, %2 : tensor<4xi32>
%4 = stablehlo.maximum %1, %2 : tensor<4xi32>
%5 = stablehlo.and %1, %2 : tensor<4xi32>
%6 = stablehlo.or %1, %2 : tensor<4xi32>
%7 = stablehlo.xor %1, %2 : tensor<4xi32>
%8 = stablehlo.shift_left %1, %2 : tensor<4xi32>
%9 = stablehlo.not %1 : tensor<4xi32>
%10 = stablehlo.power %1, %2 : tensor<4xi32>
%11 = stablehlo.shift_right_logical %1, %2 : tensor<4xi32>
%12 = stablehlo.negate %1 : tensor<4xi32>
%13 = stablehlo.sign %1 : tensor<4xi32>
%14 = stablehlo.popcnt %1 : tensor<4xi32>
%15 = stablehlo.abs %1 : tensor<4xi32>
return %0, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}
// ==>
module {
  func.func @main() -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
    %c = stablehlo.constant dense<[1, 2, 3, 7]> : tensor<4xi32>
    %c_0 = stablehlo.constant dense<[1, 1, 1, -1]> : tensor<4xi32>
    %c_1 = stablehlo.constant dense<[-1, -2, -3, 7]> : tensor<4xi32>
    %c_2 = stablehlo.constant dense<[-2, -3, -4, 6]> : tensor<4xi32>
    %c_3 = stablehlo.constant dense<[1, 2, 3, -7]> : tensor<4xi32>
    %c_4 = stablehlo.constant dense<2> : tensor<4xi32>
    %c_5 = stablehlo.constant dense<[0, 1, 1, -3]> : tensor<4xi32>
    %c_6 = stablehlo.constant dense<[1, 0, 1, -1]> : tensor<4xi32>
    %c_7 = stablehlo.constant dense<[2, 2, 3, 2]> : tensor<4xi32>
    %c_8 = stablehlo.constant dense<[0, 2, 2, 0]> : tensor<4xi32>
    %c_9 = stablehlo.constant dense<[3, 2, 3, -5]> : tensor<4xi32>
    %c_10 = stablehlo.constant dense<[3, 0, 1, -5]> : tensor<4xi32>
    %0 = stablehlo.shift_left %c_3, %c_4 : tensor<4xi32>
    %1 = stablehlo.power %c_3, %c_4 : tensor<4xi32>
    %2 = stablehlo.shift_right_logical %c_3, %c_4 : tensor<4xi32>
    %3 = stablehlo.popcnt %c_3 : tensor<4xi32>
    return %c_5, %c_6, %c_7, %c_8, %c_9, %c_10, %0, %c_2, %1, %2, %c_1, %c_0, %3, %c : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
%1 = stablehlo.constant dense<[1,2,3,7]> : tensor<4xi32>
%2 = stablehlo.constant dense<2> : tensor<4xi32>
%3 = stablehlo.compare LT, %1, %2 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
%4 = stablehlo.compare EQ, %2, %2 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
%5 = stablehlo.compare EQ, %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
%6 = stablehlo.compare EQ, %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
%7 = stablehlo.compare LT, %2, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
%8 = stablehlo.compare LT, %2, %i, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
%9 = stablehlo.compare NE, %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
%10 = stablehlo.compare LE, %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
return %3, %4, %5, %6, %7, %8, %9, %10 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
    %c = stablehlo.constant dense<2> : tensor<4xi32>
    %c_0 = stablehlo.constant dense<[true, false, false, false]> : tensor<4xi1>
    %c_1 = stablehlo.constant dense<true> : tensor<4xi1>
    %0 = stablehlo.compare EQ, %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %1 = stablehlo.compare EQ, %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %2 = stablehlo.compare LT, %c, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %3 = stablehlo.compare GT, %arg1, %c, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %4 = stablehlo.compare NE, %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %5 = stablehlo.compare LE, %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    return %c_0, %c_1, %0, %1, %2, %3, %4, %5 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %p: tensor<i1>, %q: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<i1>, tensor<4xi1>, tensor<i1>, tensor<4xi1>) {
%1 = stablehlo.constant dense<[1.0,2.0,3.0,7.0]> : tensor<4xf32>
%2 = stablehlo.constant dense<2.0> : tensor<4xf32>
%t = stablehlo.constant dense<true> : tensor<4xi1>
%f = stablehlo.constant dense<false> : tensor<i1>
%3 = stablehlo.compare LT, %1, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
%4 = stablehlo.compare EQ, %q, %t : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
%5 = stablehlo.compare NE, %p, %f : (tensor<i1>, tensor<i1>) -> tensor<i1>
%6 = stablehlo.compare EQ, %t, %q : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
%7 = stablehlo.compare EQ, %p, %f : (tensor<i1>, tensor<i1>) -> tensor<i1>
%8 = stablehlo.compare GT, %2, %a, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
return %3, %4, %5, %6, %7, %8 : tensor<4xi1>, tensor<4xi1>, tensor<i1>, tensor<4xi1>, tensor<i1>, tensor<4xi1>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<i1>, %arg2: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<i1>, tensor<4xi1>, tensor<i1>, tensor<4xi1>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %c = stablehlo.constant dense<true> : tensor<4xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %c_1 = stablehlo.constant dense<[true, false, false, false]> : tensor<4xi1>
    %0 = stablehlo.compare EQ, %c, %arg2 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %1 = stablehlo.compare EQ, %arg1, %c_0 : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %2 = stablehlo.compare GT, %cst, %arg0, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    return %c_1, %arg2, %arg1, %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<i1>, tensor<4xi1>, tensor<i1>, tensor<4xi1>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: tensor<i1>, %q: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
%t = stablehlo.constant dense<true> : tensor<4xi1>
%f = stablehlo.constant dense<false> : tensor<i1>
%x = stablehlo.constant dense<[true, false, true, true]> : tensor<4xi1>
%c = stablehlo.constant dense<[1.0,2.0,3.0,7.0]> : tensor<4xf32>
%d = stablehlo.constant dense<2.0> : tensor<4xf32>
%1 = stablehlo.select %t, %a, %b : tensor<4xi1>, tensor<4xf32>
%2 = stablehlo.select %f, %a, %b : tensor<i1>, tensor<4xf32>
%3 = stablehlo.select %x, %a, %b : tensor<4xi1>, tensor<4xf32>
%4 = stablehlo.select %x, %c, %d : tensor<4xi1>, tensor<4xf32>
%5 = stablehlo.select %q, %a, %a : tensor<4xi1>, tensor<4xf32>
%n = stablehlo.not %q : tensor<4xi1>
%6 = stablehlo.select %n, %a, %b : tensor<4xi1>, tensor<4xf32>
%n1 = stablehlo.not %p : tensor<i1>
%bn = stablehlo.broadcast_in_dim %n1, dims = [] : (tensor<i1>) -> tensor<4xi1>
%7 = stablehlo.select %bn, %a, %b : tensor<4xi1>, tensor<4xf32>
%8 = stablehlo.select %n1, %a, %b : tensor<i1>, tensor<4xf32>
%9 = stablehlo.select %q, %c, %d : tensor<4xi1>, tensor<4xf32>
return %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i1>, %arg3: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %c = stablehlo.constant dense<[true, false, true, true]> : tensor<4xi1>
    %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00]> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %0 = stablehlo.select %c, %arg0, %arg1 : tensor<4xi1>, tensor<4xf32>
    %1 = stablehlo.select %arg3, %arg1, %arg0 : tensor<4xi1>, tensor<4xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i1>) -> tensor<4xi1>
    %3 = stablehlo.select %2, %arg1, %arg0 : tensor<4xi1>, tensor<4xf32>
    %4 = stablehlo.select %arg2, %arg1, %arg0 : tensor<i1>, tensor<4xf32>
    %5 = stablehlo.select %arg3, %cst, %cst_0 : tensor<4xi1>, tensor<4xf32>
    return %arg0, %arg1, %0, %cst, %arg0, %1, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN 'stablehlo-target-independent-optimization{fold-op-element-limit=0}'
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: tensor<i1>, %q: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
%t = stablehlo.constant dense<true> : tensor<4xi1>
%f = stablehlo.constant dense<false> : tensor<i1>
%x = stablehlo.constant dense<[true, false, true, true]> : tensor<4xi1>
%c = stablehlo.constant dense<[1.0,2.0,3.0,7.0]> : tensor<4xf32>
%d = stablehlo.constant dense<2.0> : tensor<4xf32>
%1 = stablehlo.select %t, %a, %b : tensor<4xi1>, tensor<4xf32>
%2 = stablehlo.select %f, %a, %b : tensor<i1>, tensor<4xf32>
%3 = stablehlo.select %x, %a, %b : tensor<4xi1>, tensor<4xf32>
%4 = stablehlo.select %x, %c, %d : tensor<4xi1>, tensor<4xf32>
%5 = stablehlo.select %q, %a, %a : tensor<4xi1>, tensor<4xf32>
%n = stablehlo.not %q : tensor<4xi1>
%6 = stablehlo.select %n, %a, %b : tensor<4xi1>, tensor<4xf32>
%n1 = stablehlo.not %p : tensor<i1>
%bn = stablehlo.broadcast_in_dim %n1, dims = [] : (tensor<i1>) -> tensor<4xi1>
%7 = stablehlo.select %bn, %a, %b : tensor<4xi1>, tensor<4xf32>
%8 = stablehlo.select %n1, %a, %b : tensor<i1>, tensor<4xf32>
%9 = stablehlo.select %q, %c, %d : tensor<4xi1>, tensor<4xf32>
return %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i1>, %arg3: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %c = stablehlo.constant dense<[true, false, true, true]> : tensor<4xi1>
    %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00]> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %0 = stablehlo.select %c, %arg0, %arg1 : tensor<4xi1>, tensor<4xf32>
    %1 = stablehlo.select %c, %cst, %cst_0 : tensor<4xi1>, tensor<4xf32>
    %2 = stablehlo.select %arg3, %arg1, %arg0 : tensor<4xi1>, tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i1>) -> tensor<4xi1>
    %4 = stablehlo.select %3, %arg1, %arg0 : tensor<4xi1>, tensor<4xf32>
    %5 = stablehlo.select %arg2, %arg1, %arg0 : tensor<i1>, tensor<4xf32>
    %6 = stablehlo.select %arg3, %cst, %cst_0 : tensor<4xi1>, tensor<4xf32>
    return %arg0, %arg1, %0, %1, %arg0, %2, %4, %5, %6 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
%c = stablehlo.compare GT, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
%1 = stablehlo.select %c, %a, %b : tensor<4xi1>, tensor<4xf32>
%2 = stablehlo.select %c, %b, %a : tensor<4xi1>, tensor<4xf32>
%d = stablehlo.compare LT, %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
return %1, %2, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
    %0 = stablehlo.compare GT, %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %1 = stablehlo.select %0, %arg0, %arg1 : tensor<4xi1>, tensor<4xf32>
    %2 = stablehlo.select %0, %arg1, %arg0 : tensor<4xi1>, tensor<4xf32>
    %3 = stablehlo.compare LT, %arg2, %arg2 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%i: tensor<4xi32>, %q: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi1>, tensor<4xi1>) {
%t = stablehlo.constant dense<true> : tensor<4xi1>
%f = stablehlo.constant dense<false> : tensor<4xi1>
%zz = stablehlo.constant dense<0> : tensor<4xi32>
%o = stablehlo.constant dense<-1> : tensor<4xi32>
%e = stablehlo.constant dense<1> : tensor<4xi32>
%1 = stablehlo.and %q, %t : tensor<4xi1>
%2 = stablehlo.and %f, %q : tensor<4xi1>
%3 = stablehlo.or %q, %t : tensor<4xi1>
%4 = stablehlo.or %q, %f : tensor<4xi1>
%5 = stablehlo.xor %q, %q : tensor<4xi1>
%6 = stablehlo.xor %q, %t : tensor<4xi1>
%7 = stablehlo.and %i, %o : tensor<4xi32>
%8 = stablehlo.and %i, %zz : tensor<4xi32>
%9 = stablehlo.or %i, %o : tensor<4xi32>
%10 = stablehlo.or %zz, %i : tensor<4xi32>
%11 = stablehlo.and %i, %i : tensor<4xi32>
%12 = stablehlo.or %i, %i : tensor<4xi32>
%13 = stablehlo.divide %i, %e : tensor<4xi32>
%14 = stablehlo.multiply %i, %zz : tensor<4xi32>
%15 = stablehlo.maximum %i, %i : tensor<4xi32>
%16 = stablehlo.not %t : tensor<4xi1>
%nn = stablehlo.not %q : tensor<4xi1>
%17 = stablehlo.not %nn : tensor<4xi1>
return %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi1>, tensor<4xi1>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xi32>, %arg1: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi1>, tensor<4xi1>) {
    %c = stablehlo.constant dense<true> : tensor<4xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<4xi1>
    %c_1 = stablehlo.constant dense<0> : tensor<4xi32>
    %c_2 = stablehlo.constant dense<-1> : tensor<4xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<4xi32>
    %0 = stablehlo.xor %arg1, %c : tensor<4xi1>
    %1 = stablehlo.and %arg0, %arg0 : tensor<4xi32>
    %2 = stablehlo.or %arg0, %arg0 : tensor<4xi32>
    %3 = stablehlo.divide %arg0, %c_3 : tensor<4xi32>
    %4 = stablehlo.maximum %arg0, %arg0 : tensor<4xi32>
    %5 = stablehlo.not %arg1 : tensor<4xi1>
    %6 = stablehlo.not %5 : tensor<4xi1>
    return %arg1, %c_0, %c, %arg1, %c_0, %0, %arg0, %c_1, %c_2, %arg0, %1, %2, %3, %c_1, %4, %c_0, %6 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi1>, tensor<4xi1>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
%zz = stablehlo.constant dense<0.0> : tensor<4xf32>
%y = stablehlo.constant dense<-0.0> : tensor<4xf32>
%o = stablehlo.constant dense<1.0> : tensor<4xf32>
%1 = stablehlo.add %a, %zz : tensor<4xf32>
%2 = stablehlo.add %zz, %a : tensor<4xf32>
%3 = stablehlo.add %a, %y : tensor<4xf32>
%4 = stablehlo.subtract %a, %a : tensor<4xf32>
%5 = stablehlo.subtract %a, %zz : tensor<4xf32>
%6 = stablehlo.multiply %a, %zz : tensor<4xf32>
%7 = stablehlo.multiply %o, %a : tensor<4xf32>
%8 = stablehlo.power %a, %o : tensor<4xf32>
%9 = stablehlo.subtract %i, %i : tensor<4xi32>
%10 = stablehlo.maximum %zz, %a : tensor<4xf32>
%11 = stablehlo.minimum %zz, %a : tensor<4xf32>
%12 = stablehlo.subtract %a, %y : tensor<4xf32>
return %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %c = stablehlo.constant dense<0> : tensor<4xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %0 = stablehlo.subtract %arg0, %arg0 : tensor<4xf32>
    %1 = stablehlo.multiply %arg0, %cst : tensor<4xf32>
    %2 = stablehlo.power %arg0, %cst_0 : tensor<4xf32>
    %3 = stablehlo.maximum %arg0, %cst : tensor<4xf32>
    %4 = stablehlo.minimum %arg0, %cst : tensor<4xf32>
    return %arg0, %arg0, %arg0, %0, %arg0, %1, %arg0, %2, %c, %3, %4, %arg0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %s: tensor<f32>, %m: tensor<2x4xf32>, %r: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<4x1xf32>) {
%1 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
%2 = stablehlo.broadcast_in_dim %m, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
%3 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
%4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
%5 = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4xf32>
%6 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<2x4xf32>
%c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
%7 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
%8 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
%9 = stablehlo.broadcast_in_dim %r, dims = [1, 0] : (tensor<1x4xf32>) -> tensor<4x1xf32>
return %1, %2, %4, %5, %6, %7, %8, %9 : tensor<1x4xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<4x1xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<f32>, %arg2: tensor<2x4xf32>, %arg3: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<4x1xf32>) {
    %cst = stablehlo.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]> : tensor<1x4xf32>
    %cst_0 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
    %0 = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %3 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
    %5 = stablehlo.reshape %arg3 : (tensor<1x4xf32>) -> tensor<4x1xf32>
    return %0, %1, %2, %arg2, %3, %4, %cst, %5 : tensor<1x4xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<4x1xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%i: tensor<4xi32>, %m: tensor<2x4xf32>, %r: tensor<1x4xf32>) -> (tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x1xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<8xf32>, tensor<2x4xi32>, tensor<2x4xbf16>, tensor<4xi32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
%1 = stablehlo.reshape %m : (tensor<2x4xf32>) -> tensor<8xf32>
%2 = stablehlo.reshape %1 : (tensor<8xf32>) -> tensor<4x2xf32>
%3 = stablehlo.reshape %1 : (tensor<8xf32>) -> tensor<2x4xf32>
%4 = stablehlo.transpose %r, dims = [1, 0] : (tensor<1x4xf32>) -> tensor<4x1xf32>
%5 = stablehlo.transpose %m, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
%6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
%c = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0],[5.0,6.0,7.0,8.0]]> : tensor<2x4xf32>
%7 = stablehlo.transpose %c, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
%8 = stablehlo.reshape %c : (tensor<2x4xf32>) -> tensor<8xf32>
%9 = stablehlo.convert %c : (tensor<2x4xf32>) -> tensor<2x4xi32>
%10 = stablehlo.convert %c : (tensor<2x4xf32>) -> tensor<2x4xbf16>
%11 = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xi32>
%12 = stablehlo.reverse %c, dims = [1] : tensor<2x4xf32>
%13 = stablehlo.reverse %r, dims = [0] : tensor<1x4xf32>
%14 = stablehlo.reverse %r, dims = [0, 1] : tensor<1x4xf32>
%15 = stablehlo.reverse %r, dims = [] : tensor<1x4xf32>
return %2, %3, %4, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 : tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x1xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<8xf32>, tensor<2x4xi32>, tensor<2x4xbf16>, tensor<4xi32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xi32>, %arg1: tensor<2x4xf32>, %arg2: tensor<1x4xf32>) -> (tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x1xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<8xf32>, tensor<2x4xi32>, tensor<2x4xbf16>, tensor<4xi32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
    %cst = stablehlo.constant dense<[[4.000000e+00, 3.000000e+00, 2.000000e+00, 1.000000e+00], [8.000000e+00, 7.000000e+00, 6.000000e+00, 5.000000e+00]]> : tensor<2x4xf32>
    %cst_0 = stablehlo.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xbf16>
    %c = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
    %cst_1 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]> : tensor<8xf32>
    %cst_2 = stablehlo.constant dense<[[1.000000e+00, 5.000000e+00], [2.000000e+00, 6.000000e+00], [3.000000e+00, 7.000000e+00], [4.000000e+00, 8.000000e+00]]> : tensor<4x2xf32>
    %0 = stablehlo.reshape %arg1 : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %1 = stablehlo.reshape %arg2 : (tensor<1x4xf32>) -> tensor<4x1xf32>
    %2 = stablehlo.reverse %arg2, dims = [0, 1] : tensor<1x4xf32>
    return %0, %arg1, %1, %arg1, %cst_2, %cst_1, %c, %cst_0, %arg0, %cst, %arg2, %2, %arg2 : tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x1xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<8xf32>, tensor<2x4xi32>, tensor<2x4xbf16>, tensor<4xi32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
  }
}
// -----
// RUN 'stablehlo-target-independent-optimization{fold-op-element-limit=0}'
func.func @main(%i: tensor<4xi32>, %m: tensor<2x4xf32>, %r: tensor<1x4xf32>) -> (tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x1xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<8xf32>, tensor<2x4xi32>, tensor<2x4xbf16>, tensor<4xi32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
%1 = stablehlo.reshape %m : (tensor<2x4xf32>) -> tensor<8xf32>
%2 = stablehlo.reshape %1 : (tensor<8xf32>) -> tensor<4x2xf32>
%3 = stablehlo.reshape %1 : (tensor<8xf32>) -> tensor<2x4xf32>
%4 = stablehlo.transpose %r, dims = [1, 0] : (tensor<1x4xf32>) -> tensor<4x1xf32>
%5 = stablehlo.transpose %m, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
%6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
%c = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0],[5.0,6.0,7.0,8.0]]> : tensor<2x4xf32>
%7 = stablehlo.transpose %c, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
%8 = stablehlo.reshape %c : (tensor<2x4xf32>) -> tensor<8xf32>
%9 = stablehlo.convert %c : (tensor<2x4xf32>) -> tensor<2x4xi32>
%10 = stablehlo.convert %c : (tensor<2x4xf32>) -> tensor<2x4xbf16>
%11 = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xi32>
%12 = stablehlo.reverse %c, dims = [1] : tensor<2x4xf32>
%13 = stablehlo.reverse %r, dims = [0] : tensor<1x4xf32>
%14 = stablehlo.reverse %r, dims = [0, 1] : tensor<1x4xf32>
%15 = stablehlo.reverse %r, dims = [] : tensor<1x4xf32>
return %2, %3, %4, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 : tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x1xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<8xf32>, tensor<2x4xi32>, tensor<2x4xbf16>, tensor<4xi32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xi32>, %arg1: tensor<2x4xf32>, %arg2: tensor<1x4xf32>) -> (tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x1xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<8xf32>, tensor<2x4xi32>, tensor<2x4xbf16>, tensor<4xi32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
    %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]> : tensor<8xf32>
    %cst_0 = stablehlo.constant dense<[[1.000000e+00, 5.000000e+00], [2.000000e+00, 6.000000e+00], [3.000000e+00, 7.000000e+00], [4.000000e+00, 8.000000e+00]]> : tensor<4x2xf32>
    %cst_1 = stablehlo.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
    %0 = stablehlo.reshape %arg1 : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %1 = stablehlo.reshape %arg2 : (tensor<1x4xf32>) -> tensor<4x1xf32>
    %2 = stablehlo.convert %cst_1 : (tensor<2x4xf32>) -> tensor<2x4xi32>
    %3 = stablehlo.convert %cst_1 : (tensor<2x4xf32>) -> tensor<2x4xbf16>
    %4 = stablehlo.reverse %cst_1, dims = [1] : tensor<2x4xf32>
    %5 = stablehlo.reverse %arg2, dims = [0, 1] : tensor<1x4xf32>
    return %0, %arg1, %1, %arg1, %cst_0, %cst, %2, %3, %arg0, %4, %arg2, %5, %arg2 : tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x1xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<8xf32>, tensor<2x4xi32>, tensor<2x4xbf16>, tensor<4xi32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<2x4xf32>, %z: tensor<0x4xf32>) -> (tensor<4xf32>, tensor<2x4xf32>, tensor<12xf32>, tensor<8xf32>, tensor<8xf32>, tensor<12xf32>, tensor<4xf32>, tensor<6xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2xf32>) {
%1 = stablehlo.concatenate %a, dim = 0 : (tensor<4xf32>) -> tensor<4xf32>
%2 = stablehlo.concatenate %m, %z, dim = 0 : (tensor<2x4xf32>, tensor<0x4xf32>) -> tensor<2x4xf32>
%3 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
%4 = stablehlo.concatenate %3, %a, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
%c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
%d = stablehlo.constant dense<2.0> : tensor<4xf32>
%5 = stablehlo.concatenate %c, %d, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
%6 = stablehlo.concatenate %d, %d, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
%7 = stablehlo.concatenate %d, %d, %a, dim = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>
%8 = stablehlo.slice %4 [4:8] : (tensor<12xf32>) -> tensor<4xf32>
%9 = stablehlo.slice %4 [2:8] : (tensor<12xf32>) -> tensor<6xf32>
%10 = stablehlo.slice %c [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>
%11 = stablehlo.slice %d [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>
%12 = stablehlo.slice %a [0:4] : (tensor<4xf32>) -> tensor<4xf32>
%13 = stablehlo.slice %3 [0:4:2] : (tensor<8xf32>) -> tensor<2xf32>
return %1, %2, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 : tensor<4xf32>, tensor<2x4xf32>, tensor<12xf32>, tensor<8xf32>, tensor<8xf32>, tensor<12xf32>, tensor<4xf32>, tensor<6xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<2x4xf32>, %arg3: tensor<0x4xf32>) -> (tensor<4xf32>, tensor<2x4xf32>, tensor<12xf32>, tensor<8xf32>, tensor<8xf32>, tensor<12xf32>, tensor<4xf32>, tensor<6xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2xf32>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<2xf32>
    %cst_0 = stablehlo.constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<8xf32>
    %cst_2 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00]> : tensor<8xf32>
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    %1 = stablehlo.concatenate %0, %arg0, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
    %2 = stablehlo.concatenate %cst_1, %arg0, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
    %3 = stablehlo.slice %0 [2:8] : (tensor<8xf32>) -> tensor<6xf32>
    %4 = stablehlo.slice %arg0 [0:4:2] : (tensor<4xf32>) -> tensor<2xf32>
    return %arg0, %arg2, %1, %cst_2, %cst_1, %2, %arg1, %3, %cst_0, %cst, %arg0, %4 : tensor<4xf32>, tensor<2x4xf32>, tensor<12xf32>, tensor<8xf32>, tensor<8xf32>, tensor<12xf32>, tensor<4xf32>, tensor<6xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2xf32>
  }
}
// -----
// RUN 'stablehlo-target-independent-optimization{fold-op-element-limit=0}'
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<2x4xf32>, %z: tensor<0x4xf32>) -> (tensor<4xf32>, tensor<2x4xf32>, tensor<12xf32>, tensor<8xf32>, tensor<8xf32>, tensor<12xf32>, tensor<4xf32>, tensor<6xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2xf32>) {
%1 = stablehlo.concatenate %a, dim = 0 : (tensor<4xf32>) -> tensor<4xf32>
%2 = stablehlo.concatenate %m, %z, dim = 0 : (tensor<2x4xf32>, tensor<0x4xf32>) -> tensor<2x4xf32>
%3 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
%4 = stablehlo.concatenate %3, %a, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
%c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
%d = stablehlo.constant dense<2.0> : tensor<4xf32>
%5 = stablehlo.concatenate %c, %d, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
%6 = stablehlo.concatenate %d, %d, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
%7 = stablehlo.concatenate %d, %d, %a, dim = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>
%8 = stablehlo.slice %4 [4:8] : (tensor<12xf32>) -> tensor<4xf32>
%9 = stablehlo.slice %4 [2:8] : (tensor<12xf32>) -> tensor<6xf32>
%10 = stablehlo.slice %c [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>
%11 = stablehlo.slice %d [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>
%12 = stablehlo.slice %a [0:4] : (tensor<4xf32>) -> tensor<4xf32>
%13 = stablehlo.slice %3 [0:4:2] : (tensor<8xf32>) -> tensor<2xf32>
return %1, %2, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 : tensor<4xf32>, tensor<2x4xf32>, tensor<12xf32>, tensor<8xf32>, tensor<8xf32>, tensor<12xf32>, tensor<4xf32>, tensor<6xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<2x4xf32>, %arg3: tensor<0x4xf32>) -> (tensor<4xf32>, tensor<2x4xf32>, tensor<12xf32>, tensor<8xf32>, tensor<8xf32>, tensor<12xf32>, tensor<4xf32>, tensor<6xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2xf32>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<2xf32>
    %cst_0 = stablehlo.constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<8xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %cst_3 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    %1 = stablehlo.concatenate %0, %arg0, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
    %2 = stablehlo.concatenate %cst_3, %cst_2, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    %3 = stablehlo.concatenate %cst_1, %arg0, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
    %4 = stablehlo.slice %0 [2:8] : (tensor<8xf32>) -> tensor<6xf32>
    %5 = stablehlo.slice %arg0 [0:4:2] : (tensor<4xf32>) -> tensor<2xf32>
    return %arg0, %arg2, %1, %2, %cst_1, %3, %arg1, %4, %cst_0, %cst, %arg0, %5 : tensor<4xf32>, tensor<2x4xf32>, tensor<12xf32>, tensor<8xf32>, tensor<8xf32>, tensor<12xf32>, tensor<4xf32>, tensor<6xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %j: tensor<i32>, %m: tensor<2x4xf32>, %z: tensor<0x4xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<1x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<1x4xf32>) {
%1 = stablehlo.constant dense<1> : tensor<i32>
%9 = stablehlo.constant dense<9> : tensor<i32>
%0 = stablehlo.dynamic_slice %a, %1, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
%2 = stablehlo.dynamic_slice %a, %9, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
%3 = stablehlo.dynamic_slice %a, %j, sizes = [4] : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
%4 = stablehlo.dynamic_slice %m, %1, %j, sizes = [1, 4] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
%c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
%5 = stablehlo.dynamic_slice %c, %1, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
%d = stablehlo.constant dense<2.0> : tensor<4xf32>
%6 = stablehlo.dynamic_slice %d, %j, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
%7 = stablehlo.dynamic_update_slice %a, %b, %j : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
%8 = stablehlo.dynamic_update_slice %m, %z, %j, %j : (tensor<2x4xf32>, tensor<0x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
%k0 = stablehlo.constant dense<0> : tensor<i32>
%10 = stablehlo.dynamic_update_slice %a, %b, %k0 : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
%11 = stablehlo.dynamic_slice %m, %j, %k0, sizes = [1, 4] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
return %0, %2, %3, %4, %5, %6, %7, %8, %10, %11 : tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<1x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<1x4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i32>, %arg3: tensor<2x4xf32>, %arg4: tensor<0x4xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<1x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<1x4xf32>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<2xf32>
    %cst_0 = stablehlo.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.slice %arg0 [1:3] : (tensor<4xf32>) -> tensor<2xf32>
    %1 = stablehlo.slice %arg0 [2:4] : (tensor<4xf32>) -> tensor<2xf32>
    %2 = stablehlo.dynamic_slice %arg0, %arg2, sizes = [4] : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
    %3 = stablehlo.dynamic_slice %arg3, %c_1, %arg2, sizes = [1, 4] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %4 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2 : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
    %5 = stablehlo.dynamic_slice %arg3, %arg2, %c, sizes = [1, 4] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    return %0, %1, %2, %3, %cst_0, %cst, %4, %arg3, %arg1, %5 : tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<1x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<1x4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %s: tensor<f32>) -> (tensor<4xf32>, tensor<3xf32>, tensor<1xi32>, tensor<4x1xi32>, tensor<2x4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i32>) {
%1 = stablehlo.pad %a, %s, low = [0], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
%3 = stablehlo.pad %a, %s, low = [-1], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
%4 = stablehlo.iota dim = 0 : tensor<1xi32>
%5 = stablehlo.iota dim = 1 : tensor<4x1xi32>
%6 = stablehlo.iota dim = 1 : tensor<2x4xi32>
%7 = stablehlo.iota dim = 0 : tensor<4xf32>
%lo = stablehlo.constant dense<0.0> : tensor<f32>
%hi = stablehlo.constant dense<2.5> : tensor<f32>
%c = stablehlo.constant dense<[-1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
%8 = stablehlo.clamp %lo, %c, %hi : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
%9 = stablehlo.clamp %lo, %a, %hi : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
%d = stablehlo.constant dense<3.0> : tensor<4xf32>
%10 = stablehlo.clamp %lo, %d, %hi : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
%11 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<4xf32>) -> tensor<i32>
return %1, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<4xf32>, tensor<3xf32>, tensor<1xi32>, tensor<4x1xi32>, tensor<2x4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<f32>) -> (tensor<4xf32>, tensor<3xf32>, tensor<1xi32>, tensor<4x1xi32>, tensor<2x4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i32>) {
    %c = stablehlo.constant dense<4> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<4x1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<1xi32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
    %cst_2 = stablehlo.constant dense<[-1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
    %cst_3 = stablehlo.constant dense<2.500000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.pad %arg0, %arg1, low = [-1], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
    %1 = stablehlo.iota dim = 0 : tensor<4xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %3 = stablehlo.iota dim = 0 : tensor<4xf32>
    %4 = stablehlo.clamp %cst_4, %cst_2, %cst_3 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %5 = stablehlo.clamp %cst_4, %arg0, %cst_3 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.clamp %cst_4, %cst, %cst_3 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    return %arg0, %0, %c_1, %c_0, %2, %3, %4, %5, %6, %c : tensor<4xf32>, tensor<3xf32>, tensor<1xi32>, tensor<4x1xi32>, tensor<2x4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
%t = stablehlo.constant dense<true> : tensor<i1>
%x = stablehlo.constant dense<1> : tensor<i32>
%0 = "stablehlo.case"(%x) ({ stablehlo.return %a : tensor<4xf32> }, { %y = stablehlo.tanh %a : tensor<4xf32>
 stablehlo.return %y : tensor<4xf32> }) : (tensor<i32>) -> tensor<4xf32>
%1 = "stablehlo.if"(%t) ({ stablehlo.return %a : tensor<4xf32> }, { stablehlo.return %b : tensor<4xf32> }) : (tensor<i1>) -> tensor<4xf32>
%bad = stablehlo.constant dense<7> : tensor<i32>
%2 = "stablehlo.case"(%bad) ({ stablehlo.return %a : tensor<4xf32> }, { stablehlo.return %b : tensor<4xf32> }) : (tensor<i32>) -> tensor<4xf32>
return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.tanh %arg0 : tensor<4xf32>
    %1 = "stablehlo.if"(%c) ({
      stablehlo.return %arg0 : tensor<4xf32>
    }, {
      stablehlo.return %arg1 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    return %0, %1, %arg1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %j: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>) {
%f = stablehlo.constant dense<false> : tensor<i1>
%one = stablehlo.constant dense<1> : tensor<i32>
%n = stablehlo.constant dense<5> : tensor<i32>
%0:2 = stablehlo.while(%x = %j, %y = %a) : tensor<i32>, tensor<4xf32> cond { stablehlo.return %f : tensor<i1> } do { stablehlo.return %x, %y : tensor<i32>, tensor<4xf32> }
%1:3 = stablehlo.while(%x = %j, %y = %a, %v = %b) : tensor<i32>, tensor<4xf32>, tensor<4xf32> cond { %c = stablehlo.compare LT, %x, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
 stablehlo.return %c : tensor<i1> } do { %x1 = stablehlo.add %x, %one : tensor<i32>
 %y1 = stablehlo.add %y, %v : tensor<4xf32>
 stablehlo.return %x1, %y1, %v : tensor<i32>, tensor<4xf32>, tensor<4xf32> }
%2:2 = stablehlo.while(%x = %j, %y = %a) : tensor<i32>, tensor<4xf32> cond { %c = stablehlo.compare LT, %x, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
 stablehlo.return %c : tensor<i1> } do { %x1 = stablehlo.add %x, %one : tensor<i32>
 %y1 = stablehlo.tanh %y : tensor<4xf32>
 stablehlo.return %x1, %y1 : tensor<i32>, tensor<4xf32> }
return %0#1, %1#1 : tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %arg2, %iterArg_1 = %arg0) : tensor<i32>, tensor<4xf32>
    cond {
      %1 = stablehlo.compare LT, %iterArg, %c_0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %iterArg, %c : tensor<i32>
      %2 = stablehlo.add %iterArg_1, %arg1 : tensor<4xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
    }
    return %arg0, %0#1 : tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<2x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>) {
%0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>, %v: tensor<f32>, %w: tensor<f32>): %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
 stablehlo.return %c : tensor<i1> }) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
%1 = "stablehlo.sort"(%a) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
 stablehlo.return %c : tensor<i1> }) : (tensor<4xf32>) -> tensor<4xf32>
%2 = "stablehlo.sort"(%m) <{dimension = -1 : i64}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
 stablehlo.return %c : tensor<i1> }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
return %0#0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<2x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>) {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %3 = stablehlo.compare LT, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %3 = stablehlo.compare LT, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.sort"(%arg2) <{dimension = 1 : i64}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %3 = stablehlo.compare LT, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%s: tensor<f32>, %c1: tensor<complex<f32>>) -> (tensor<complex<f32>>, tensor<f32>, tensor<f32>) {
%re = stablehlo.real %c1 : (tensor<complex<f32>>) -> tensor<f32>
%im = stablehlo.imag %c1 : (tensor<complex<f32>>) -> tensor<f32>
%1 = stablehlo.complex %re, %im : tensor<complex<f32>>
%2 = stablehlo.complex %s, %re : tensor<complex<f32>>
%3 = stablehlo.real %2 : (tensor<complex<f32>>) -> tensor<f32>
%4 = stablehlo.imag %2 : (tensor<complex<f32>>) -> tensor<f32>
return %1, %3, %4 : tensor<complex<f32>>, tensor<f32>, tensor<f32>
}
// ==>
module {
  func.func @main(%arg0: tensor<f32>, %arg1: tensor<complex<f32>>) -> (tensor<complex<f32>>, tensor<f32>, tensor<f32>) {
    %0 = stablehlo.real %arg1 : (tensor<complex<f32>>) -> tensor<f32>
    return %arg1, %arg0, %0 : tensor<complex<f32>>, tensor<f32>, tensor<f32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %s: tensor<f32>, %m: tensor<2x4xf32>) -> (tensor<1x4xf32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<4xf32>, tensor<4x2xf16>) {
%z0 = stablehlo.constant dense<0> : tensor<1xi32>
%1 = "stablehlo.gather"(%m, %z0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<2x4xf32>, tensor<1xi32>) -> tensor<1x4xf32>
%e0 = stablehlo.constant dense<[[0],[1]]> : tensor<2x1xi32>
%2 = "stablehlo.gather"(%m, %e0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<2x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
%3 = stablehlo.exponential %a : tensor<4xf32>
%4 = stablehlo.reshape %3 : (tensor<4xf32>) -> tensor<1x4xf32>
%5 = stablehlo.tanh %4 : tensor<1x4xf32>
%6 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
%7 = stablehlo.negate %6 : tensor<4xf32>
%8 = stablehlo.transpose %m, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
%9 = stablehlo.convert %8 : (tensor<4x2xf32>) -> tensor<4x2xf16>
return %1, %2, %5, %7, %9 : tensor<1x4xf32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<4xf32>, tensor<4x2xf16>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<f32>, %arg2: tensor<2x4xf32>) -> (tensor<1x4xf32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<4xf32>, tensor<4x2xf16>) {
    %c = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
    %0 = stablehlo.slice %arg2 [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %1 = "stablehlo.gather"(%arg2, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<2x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
    %2 = stablehlo.exponential %arg0 : tensor<4xf32>
    %3 = stablehlo.reshape %2 : (tensor<4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.tanh %3 : tensor<1x4xf32>
    %5 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.negate %5 : tensor<4xf32>
    %7 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %8 = stablehlo.convert %7 : (tensor<4x2xf32>) -> tensor<4x2xf16>
    return %0, %1, %4, %6, %8 : tensor<1x4xf32>, tensor<2x4xf32>, tensor<1x4xf32>, tensor<4xf32>, tensor<4x2xf16>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%m: tensor<2x4xf32>, %r: tensor<1x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) {
%zero = stablehlo.constant dense<0.0> : tensor<f32>
%1 = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
%3 = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
%6 = stablehlo.reduce(%r init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
return %1, %3, %6 : tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<1x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %arg0, %0, %1 : tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%j: tensor<i32>, %m: tensor<2x4xf32>, %k: tensor<2x4xi32>) -> (tensor<4xf32>) {
%zero = stablehlo.constant dense<0.0> : tensor<f32>
%4:2 = stablehlo.reduce(%m init: %zero), (%k init: %j) across dimensions = [0] : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
 reducer(%x: tensor<f32>, %v: tensor<f32>) (%y: tensor<i32>, %w: tensor<i32>) {
 %1 = stablehlo.add %x, %v : tensor<f32>
 %2 = stablehlo.maximum %y, %w : tensor<i32>
 stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
 }
return %4#0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x4xi32>) -> tensor<4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%m: tensor<2x4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
%zero = stablehlo.constant dense<0.0> : tensor<f32>
%4:2 = stablehlo.reduce(%m init: %zero), (%m init: %zero) across dimensions = [0] : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
 reducer(%x: tensor<f32>, %v: tensor<f32>) (%y: tensor<f32>, %w: tensor<f32>) {
 %1 = stablehlo.add %x, %v : tensor<f32>
 stablehlo.return %1, %1 : tensor<f32>, tensor<f32>
 }
return %4#0, %4#1 : tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<2x4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0:2 = stablehlo.reduce(%arg0 init: %cst), (%arg0 init: %cst) across dimensions = [0] : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<f32>, %arg4: tensor<f32>)  {
      %1 = stablehlo.add %arg1, %arg3 : tensor<f32>
      stablehlo.return %1, %1 : tensor<f32>, tensor<f32>
    }
    return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>, tensor<12xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi8>, tensor<4xui8>, tensor<4xi32>, tensor<4xf64>, tensor<4xbf16>, tensor<4xi1>, tensor<4xf32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi1>) {
%lo = stablehlo.constant dense<0.0> : tensor<4xf32>
%hi = stablehlo.constant dense<2.5> : tensor<4xf32>
%c = stablehlo.constant dense<[-1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
%1 = stablehlo.clamp %lo, %c, %hi : tensor<4xf32>
%lo0 = stablehlo.constant dense<0> : tensor<i32>
%hi0 = stablehlo.constant dense<2> : tensor<i32>
%c0 = stablehlo.constant dense<5> : tensor<i32>
%2 = stablehlo.clamp %lo0, %c0, %hi0 : tensor<i32>
%ab = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
%cc = stablehlo.concatenate %a, %ab, dim = 0 : (tensor<4xf32>, tensor<8xf32>) -> tensor<12xf32>
%s2 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
%3 = stablehlo.convert %s2 : (tensor<4xi64>) -> tensor<4xi32>
%4 = stablehlo.convert %3 : (tensor<4xi32>) -> tensor<4xf32>
%5 = stablehlo.constant dense<300> : tensor<4xi64>
%6 = stablehlo.convert %5 : (tensor<4xi64>) -> tensor<4xi8>
%7 = stablehlo.convert %5 : (tensor<4xi64>) -> tensor<4xui8>
%8 = stablehlo.constant dense<3.7> : tensor<4xf32>
%9 = stablehlo.convert %8 : (tensor<4xf32>) -> tensor<4xi32>
%10 = stablehlo.convert %8 : (tensor<4xf32>) -> tensor<4xf64>
%11 = stablehlo.convert %8 : (tensor<4xf32>) -> tensor<4xbf16>
%12 = stablehlo.convert %8 : (tensor<4xf32>) -> tensor<4xi1>
%13 = stablehlo.constant dense<true> : tensor<4xi1>
%14 = stablehlo.convert %13 : (tensor<4xi1>) -> tensor<4xf32>
%15 = stablehlo.convert %13 : (tensor<4xi1>) -> tensor<4xi32>
%16 = stablehlo.constant dense<-1.5> : tensor<4xf32>
%17 = stablehlo.convert %16 : (tensor<4xf32>) -> tensor<4xui32>
%18 = stablehlo.convert %5 : (tensor<4xi64>) -> tensor<4xi1>
return %1, %2, %cc, %3, %4, %6, %7, %9, %10, %11, %12, %14, %15, %17, %18 : tensor<4xf32>, tensor<i32>, tensor<12xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi8>, tensor<4xui8>, tensor<4xi32>, tensor<4xf64>, tensor<4xbf16>, tensor<4xi1>, tensor<4xf32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi1>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>, tensor<12xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi8>, tensor<4xui8>, tensor<4xi32>, tensor<4xf64>, tensor<4xbf16>, tensor<4xi1>, tensor<4xf32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi1>) {
    %c = stablehlo.constant dense<1> : tensor<4xi32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %c_0 = stablehlo.constant dense<true> : tensor<4xi1>
    %cst_1 = stablehlo.constant dense<3.703130e+00> : tensor<4xbf16>
    %cst_2 = stablehlo.constant dense<3.7000000476837158> : tensor<4xf64>
    %c_3 = stablehlo.constant dense<3> : tensor<4xi32>
    %c_4 = stablehlo.constant dense<44> : tensor<4xui8>
    %c_5 = stablehlo.constant dense<44> : tensor<4xi8>
    %cst_6 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
    %c_7 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    %cst_8 = stablehlo.constant dense<-1.500000e+00> : tensor<4xf32>
    %cst_9 = stablehlo.constant dense<[0.000000e+00, 2.000000e+00, 2.500000e+00, 2.500000e+00]> : tensor<4xf32>
    %c_10 = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.concatenate %arg0, %arg0, %arg1, dim = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>
    %1 = stablehlo.convert %cst_8 : (tensor<4xf32>) -> tensor<4xui32>
    return %cst_9, %c_10, %0, %c_7, %cst_6, %c_5, %c_4, %c_3, %cst_2, %cst_1, %c_0, %cst, %c, %1, %c_0 : tensor<4xf32>, tensor<i32>, tensor<12xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi8>, tensor<4xui8>, tensor<4xi32>, tensor<4xf64>, tensor<4xbf16>, tensor<4xi1>, tensor<4xf32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi1>
  }
}
// -----
// RUN 'stablehlo-target-independent-optimization{fold-op-element-limit=0}'
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>, tensor<12xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi8>, tensor<4xui8>, tensor<4xi32>, tensor<4xf64>, tensor<4xbf16>, tensor<4xi1>, tensor<4xf32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi1>) {
%lo = stablehlo.constant dense<0.0> : tensor<4xf32>
%hi = stablehlo.constant dense<2.5> : tensor<4xf32>
%c = stablehlo.constant dense<[-1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
%1 = stablehlo.clamp %lo, %c, %hi : tensor<4xf32>
%lo0 = stablehlo.constant dense<0> : tensor<i32>
%hi0 = stablehlo.constant dense<2> : tensor<i32>
%c0 = stablehlo.constant dense<5> : tensor<i32>
%2 = stablehlo.clamp %lo0, %c0, %hi0 : tensor<i32>
%ab = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
%cc = stablehlo.concatenate %a, %ab, dim = 0 : (tensor<4xf32>, tensor<8xf32>) -> tensor<12xf32>
%s2 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
%3 = stablehlo.convert %s2 : (tensor<4xi64>) -> tensor<4xi32>
%4 = stablehlo.convert %3 : (tensor<4xi32>) -> tensor<4xf32>
%5 = stablehlo.constant dense<300> : tensor<4xi64>
%6 = stablehlo.convert %5 : (tensor<4xi64>) -> tensor<4xi8>
%7 = stablehlo.convert %5 : (tensor<4xi64>) -> tensor<4xui8>
%8 = stablehlo.constant dense<3.7> : tensor<4xf32>
%9 = stablehlo.convert %8 : (tensor<4xf32>) -> tensor<4xi32>
%10 = stablehlo.convert %8 : (tensor<4xf32>) -> tensor<4xf64>
%11 = stablehlo.convert %8 : (tensor<4xf32>) -> tensor<4xbf16>
%12 = stablehlo.convert %8 : (tensor<4xf32>) -> tensor<4xi1>
%13 = stablehlo.constant dense<true> : tensor<4xi1>
%14 = stablehlo.convert %13 : (tensor<4xi1>) -> tensor<4xf32>
%15 = stablehlo.convert %13 : (tensor<4xi1>) -> tensor<4xi32>
%16 = stablehlo.constant dense<-1.5> : tensor<4xf32>
%17 = stablehlo.convert %16 : (tensor<4xf32>) -> tensor<4xui32>
%18 = stablehlo.convert %5 : (tensor<4xi64>) -> tensor<4xi1>
return %1, %2, %cc, %3, %4, %6, %7, %9, %10, %11, %12, %14, %15, %17, %18 : tensor<4xf32>, tensor<i32>, tensor<12xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi8>, tensor<4xui8>, tensor<4xi32>, tensor<4xf64>, tensor<4xbf16>, tensor<4xi1>, tensor<4xf32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi1>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>, tensor<12xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi8>, tensor<4xui8>, tensor<4xi32>, tensor<4xf64>, tensor<4xbf16>, tensor<4xi1>, tensor<4xf32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi1>) {
    %cst = stablehlo.constant dense<-1.500000e+00> : tensor<4xf32>
    %c = stablehlo.constant dense<true> : tensor<4xi1>
    %cst_0 = stablehlo.constant dense<3.700000e+00> : tensor<4xf32>
    %c_1 = stablehlo.constant dense<300> : tensor<4xi64>
    %c_2 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
    %cst_3 = stablehlo.constant dense<[0.000000e+00, 2.000000e+00, 2.500000e+00, 2.500000e+00]> : tensor<4xf32>
    %c_4 = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.concatenate %arg0, %arg0, %arg1, dim = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>
    %1 = stablehlo.convert %c_2 : (tensor<4xi64>) -> tensor<4xi32>
    %2 = stablehlo.convert %1 : (tensor<4xi32>) -> tensor<4xf32>
    %3 = stablehlo.convert %c_1 : (tensor<4xi64>) -> tensor<4xi8>
    %4 = stablehlo.convert %c_1 : (tensor<4xi64>) -> tensor<4xui8>
    %5 = stablehlo.convert %cst_0 : (tensor<4xf32>) -> tensor<4xi32>
    %6 = stablehlo.convert %cst_0 : (tensor<4xf32>) -> tensor<4xf64>
    %7 = stablehlo.convert %cst_0 : (tensor<4xf32>) -> tensor<4xbf16>
    %8 = stablehlo.convert %cst_0 : (tensor<4xf32>) -> tensor<4xi1>
    %9 = stablehlo.convert %c : (tensor<4xi1>) -> tensor<4xf32>
    %10 = stablehlo.convert %c : (tensor<4xi1>) -> tensor<4xi32>
    %11 = stablehlo.convert %cst : (tensor<4xf32>) -> tensor<4xui32>
    %12 = stablehlo.convert %c_1 : (tensor<4xi64>) -> tensor<4xi1>
    return %cst_3, %c_4, %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<4xf32>, tensor<i32>, tensor<12xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi8>, tensor<4xui8>, tensor<4xi32>, tensor<4xf64>, tensor<4xbf16>, tensor<4xi1>, tensor<4xf32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi1>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main() -> (tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<f32>, tensor<f32>) {
%0 = stablehlo.constant dense<0> : tensor<i32>
%1 = stablehlo.constant dense<5> : tensor<i32>
%2 = stablehlo.divide %1, %0 : tensor<i32>
%3 = stablehlo.remainder %1, %0 : tensor<i32>
%4 = stablehlo.constant dense<0.0> : tensor<f32>
%5 = stablehlo.constant dense<5.0> : tensor<f32>
%6 = stablehlo.divide %5, %4 : tensor<f32>
%7 = stablehlo.divide %4, %4 : tensor<f32>
%8 = stablehlo.log %4 : tensor<f32>
%9 = stablehlo.rsqrt %4 : tensor<f32>
%10 = stablehlo.multiply %6, %6 : tensor<f32>
%11 = stablehlo.constant dense<2147483647> : tensor<i32>
%12 = stablehlo.add %11, %11 : tensor<i32>
%13 = stablehlo.constant dense<-2147483648> : tensor<i32>
%14 = stablehlo.constant dense<-1> : tensor<i32>
%15 = stablehlo.divide %13, %14 : tensor<i32>
%16 = stablehlo.remainder %13, %14 : tensor<i32>
%17 = stablehlo.abs %13 : tensor<i32>
%18 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
%19 = stablehlo.maximum %18, %5 : tensor<f32>
%20 = stablehlo.minimum %5, %18 : tensor<f32>
%21 = stablehlo.sign %18 : tensor<f32>
%22 = stablehlo.compare NE, %18, %18 : (tensor<f32>, tensor<f32>) -> tensor<i1>
%23 = stablehlo.constant dense<-0.0> : tensor<f32>
%24 = stablehlo.maximum %23, %4 : tensor<f32>
%25 = stablehlo.sign %4 : tensor<f32>
return %2, %3, %6, %7, %8, %9, %10, %12, %15, %16, %17, %19, %20, %21, %22, %24, %25 : tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<f32>, tensor<f32>
}
// ==>
module {
  func.func @main() -> (tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<f32>, tensor<f32>) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %c_0 = stablehlo.constant dense<-2147483648> : tensor<i32>
    %c_1 = stablehlo.constant dense<-2> : tensor<i32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %cst_2 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<5> : tensor<i32>
    %0 = stablehlo.divide %c_5, %c_4 : tensor<i32>
    %1 = stablehlo.remainder %c_5, %c_4 : tensor<i32>
    %2 = stablehlo.log %cst_3 : tensor<f32>
    %3 = stablehlo.rsqrt %cst_3 : tensor<f32>
    %4 = stablehlo.sign %cst_2 : tensor<f32>
    return %0, %1, %cst, %cst_2, %2, %3, %cst, %c_1, %c_0, %c_4, %c_0, %cst_2, %cst_2, %4, %c, %cst_3, %cst_3 : tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<f32>, tensor<f32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main() -> (tensor<4xui8>, tensor<4xui8>, tensor<4xi1>, tensor<4xui8>, tensor<4xbf16>, tensor<4xi1>, tensor<4xi1>, tensor<4xcomplex<f32>>, tensor<4xf16>, tensor<4xf8E4M3FN>, tensor<4xi1>) {
%0 = stablehlo.constant dense<[1,2,3,200]> : tensor<4xui8>
%1 = stablehlo.constant dense<100> : tensor<4xui8>
%2 = stablehlo.add %0, %1 : tensor<4xui8>
%3 = stablehlo.divide %0, %1 : tensor<4xui8>
%4 = stablehlo.compare LT, %0, %1, UNSIGNED : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
%5 = stablehlo.maximum %0, %1 : tensor<4xui8>
%6 = stablehlo.constant dense<1.5> : tensor<4xbf16>
%10 = stablehlo.add %6, %6 : tensor<4xbf16>
%11 = stablehlo.constant dense<[true, false, true, true]> : tensor<4xi1>
%12 = stablehlo.not %11 : tensor<4xi1>
%13 = stablehlo.and %11, %12 : tensor<4xi1>
%14 = stablehlo.add %11, %12 : tensor<4xi1>
%15 = stablehlo.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>
%16 = stablehlo.add %15, %15 : tensor<4xcomplex<f32>>
%17 = stablehlo.constant dense<1.5> : tensor<4xf16>
%18 = stablehlo.divide %17, %17 : tensor<4xf16>
%19 = stablehlo.constant dense<1.5> : tensor<4xf8E4M3FN>
%20 = stablehlo.add %19, %19 : tensor<4xf8E4M3FN>
%21 = stablehlo.maximum %11, %12 : tensor<4xi1>
return %2, %3, %4, %5, %10, %13, %14, %16, %18, %20, %21 : tensor<4xui8>, tensor<4xui8>, tensor<4xi1>, tensor<4xui8>, tensor<4xbf16>, tensor<4xi1>, tensor<4xi1>, tensor<4xcomplex<f32>>, tensor<4xf16>, tensor<4xf8E4M3FN>, tensor<4xi1>
}
// ==>
module {
  func.func @main() -> (tensor<4xui8>, tensor<4xui8>, tensor<4xi1>, tensor<4xui8>, tensor<4xbf16>, tensor<4xi1>, tensor<4xi1>, tensor<4xcomplex<f32>>, tensor<4xf16>, tensor<4xf8E4M3FN>, tensor<4xi1>) {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf8E4M3FN>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4xf16>
    %cst_1 = stablehlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<4xcomplex<f32>>
    %c = stablehlo.constant dense<[101, 102, 103, 44]> : tensor<4xui8>
    %c_2 = stablehlo.constant dense<[0, 0, 0, 2]> : tensor<4xui8>
    %c_3 = stablehlo.constant dense<[true, true, true, false]> : tensor<4xi1>
    %c_4 = stablehlo.constant dense<[100, 100, 100, 200]> : tensor<4xui8>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<4xbf16>
    %c_6 = stablehlo.constant dense<false> : tensor<4xi1>
    %c_7 = stablehlo.constant dense<true> : tensor<4xi1>
    %0 = stablehlo.add %cst_1, %cst_1 : tensor<4xcomplex<f32>>
    return %c, %c_2, %c_3, %c_4, %cst_5, %c_6, %c_7, %0, %cst_0, %cst, %c_7 : tensor<4xui8>, tensor<4xui8>, tensor<4xi1>, tensor<4xui8>, tensor<4xbf16>, tensor<4xi1>, tensor<4xi1>, tensor<4xcomplex<f32>>, tensor<4xf16>, tensor<4xf8E4M3FN>, tensor<4xi1>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %s: tensor<f32>, %i: tensor<4xi32>, %m: tensor<2x4xf32>) -> (tensor<4xf32>, tensor<8xf32>, tensor<2x4xf32>, tensor<8xf32>, tensor<2x2xf32>, tensor<4xi32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<1x4xi32>) {
%0 = stablehlo.optimization_barrier %a : tensor<4xf32>
%1 = stablehlo.transpose %m, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
%2 = stablehlo.reshape %1 : (tensor<4x2xf32>) -> tensor<8xf32>
%3 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
%4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
%5 = stablehlo.reshape %3 : (tensor<4x2xf32>) -> tensor<8xf32>
%6 = stablehlo.reshape %a : (tensor<4xf32>) -> tensor<2x2xf32>
%7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
%8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
%9 = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xi64>
%10 = stablehlo.convert %9 : (tensor<4xi64>) -> tensor<4xi32>
%11 = stablehlo.negate %a : tensor<4xf32>
%12 = stablehlo.negate %11 : tensor<4xf32>
%13 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
%c = stablehlo.constant dense<2.0> : tensor<4xf32>
%d = stablehlo.constant dense<3.0> : tensor<4xf32>
%14 = stablehlo.add %a, %c : tensor<4xf32>
%15 = stablehlo.add %14, %d : tensor<4xf32>
%16 = stablehlo.iota dim = 0 : tensor<4xi32>
%17 = stablehlo.reshape %16 : (tensor<4xi32>) -> tensor<1x4xi32>
return %0, %2, %4, %5, %8, %10, %12, %13, %15, %17 : tensor<4xf32>, tensor<8xf32>, tensor<2x4xf32>, tensor<8xf32>, tensor<2x2xf32>, tensor<4xi32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<1x4xi32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<f32>, %arg3: tensor<4xi32>, %arg4: tensor<2x4xf32>) -> (tensor<4xf32>, tensor<8xf32>, tensor<2x4xf32>, tensor<8xf32>, tensor<2x2xf32>, tensor<4xi32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<1x4xi32>) {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %0 = stablehlo.optimization_barrier %arg0 : tensor<4xf32>
    %1 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %2 = stablehlo.reshape %1 : (tensor<4x2xf32>) -> tensor<8xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
    %5 = stablehlo.reshape %3 : (tensor<4x2xf32>) -> tensor<8xf32>
    %6 = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<2x2xf32>
    %7 = stablehlo.convert %arg3 : (tensor<4xi32>) -> tensor<4xi64>
    %8 = stablehlo.convert %7 : (tensor<4xi64>) -> tensor<4xi32>
    %9 = stablehlo.negate %arg0 : tensor<4xf32>
    %10 = stablehlo.negate %9 : tensor<4xf32>
    %11 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %12 = stablehlo.add %arg0, %cst_0 : tensor<4xf32>
    %13 = stablehlo.add %12, %cst : tensor<4xf32>
    %14 = stablehlo.iota dim = 0 : tensor<4xi32>
    %15 = stablehlo.reshape %14 : (tensor<4xi32>) -> tensor<1x4xi32>
    return %0, %2, %4, %5, %6, %8, %10, %11, %13, %15 : tensor<4xf32>, tensor<8xf32>, tensor<2x4xf32>, tensor<8xf32>, tensor<2x2xf32>, tensor<4xi32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<1x4xi32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%m: tensor<2x4xf32>) -> (tensor<1x4xf32>, tensor<4xf32>, tensor<4xf32>) {
%z0 = stablehlo.constant dense<1> : tensor<1xi32>
%1 = "stablehlo.gather"(%m, %z0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<2x4xf32>, tensor<1xi32>) -> tensor<1x4xf32>
%2 = "stablehlo.gather"(%m, %z0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<2x4xf32>, tensor<1xi32>) -> tensor<4xf32>
%z9 = stablehlo.constant dense<9> : tensor<1xi32>
%3 = "stablehlo.gather"(%m, %z9) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<2x4xf32>, tensor<1xi32>) -> tensor<4xf32>
return %1, %2, %3 : tensor<1x4xf32>, tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<2x4xf32>) -> (tensor<1x4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.slice %arg0 [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.slice %arg0 [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x4xf32>) -> tensor<4xf32>
    %3 = stablehlo.slice %arg0 [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x4xf32>) -> tensor<4xf32>
    return %0, %2, %4 : tensor<1x4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<ui8>, tensor<i1>, tensor<f64>, tensor<f32>, tensor<f32>, tensor<i8>) {
%0 = stablehlo.constant dense<0.0> : tensor<f32>
%1 = stablehlo.sqrt %0 : tensor<f32>
%2 = stablehlo.constant dense<-1.0> : tensor<f32>
%3 = stablehlo.log %2 : tensor<f32>
%4 = stablehlo.sqrt %2 : tensor<f32>
%5 = stablehlo.constant dense<1000.0> : tensor<f32>
%6 = stablehlo.exponential %5 : tensor<f32>
%12 = stablehlo.negate %0 : tensor<f32>
%13 = stablehlo.constant dense<2.5> : tensor<f32>
%14 = stablehlo.round_nearest_even %13 : tensor<f32>
%15 = stablehlo.round_nearest_afz %13 : tensor<f32>
%16 = stablehlo.constant dense<5> : tensor<ui8>
%17 = stablehlo.negate %16 : tensor<ui8>
%18 = stablehlo.constant dense<true> : tensor<i1>
%19 = stablehlo.not %18 : tensor<i1>
%20 = stablehlo.constant dense<1.0e300> : tensor<f64>
%21 = stablehlo.multiply %20, %20 : tensor<f64>
%22 = stablehlo.convert %20 : (tensor<f64>) -> tensor<f32>
%23 = stablehlo.constant dense<123456789> : tensor<i64>
%24 = stablehlo.convert %23 : (tensor<i64>) -> tensor<f32>
%25 = stablehlo.convert %5 : (tensor<f32>) -> tensor<i8>
return %1, %3, %4, %6, %12, %14, %15, %17, %19, %21, %22, %24, %25 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<ui8>, tensor<i1>, tensor<f64>, tensor<f32>, tensor<f32>, tensor<i8>
}
// ==>
module {
  func.func @main() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<ui8>, tensor<i1>, tensor<f64>, tensor<f32>, tensor<f32>, tensor<i8>) {
    %cst = stablehlo.constant dense<0x4CEB79A3> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %c_1 = stablehlo.constant dense<251> : tensor<ui8>
    %cst_2 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+03> : tensor<f32>
    %cst_7 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.log %cst_7 : tensor<f32>
    %1 = stablehlo.sqrt %cst_7 : tensor<f32>
    %2 = stablehlo.convert %cst_6 : (tensor<f32>) -> tensor<i8>
    return %cst_8, %0, %1, %cst_5, %cst_4, %cst_3, %cst_2, %c_1, %c, %cst_0, %cst_5, %cst, %2 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<ui8>, tensor<i1>, tensor<f64>, tensor<f32>, tensor<f32>, tensor<i8>
  }
}
// -----
// RUN 'stablehlo-target-independent-optimization{fold-op-element-limit=0}'
func.func @main() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<ui8>, tensor<i1>, tensor<f64>, tensor<f32>, tensor<f32>, tensor<i8>) {
%0 = stablehlo.constant dense<0.0> : tensor<f32>
%1 = stablehlo.sqrt %0 : tensor<f32>
%2 = stablehlo.constant dense<-1.0> : tensor<f32>
%3 = stablehlo.log %2 : tensor<f32>
%4 = stablehlo.sqrt %2 : tensor<f32>
%5 = stablehlo.constant dense<1000.0> : tensor<f32>
%6 = stablehlo.exponential %5 : tensor<f32>
%12 = stablehlo.negate %0 : tensor<f32>
%13 = stablehlo.constant dense<2.5> : tensor<f32>
%14 = stablehlo.round_nearest_even %13 : tensor<f32>
%15 = stablehlo.round_nearest_afz %13 : tensor<f32>
%16 = stablehlo.constant dense<5> : tensor<ui8>
%17 = stablehlo.negate %16 : tensor<ui8>
%18 = stablehlo.constant dense<true> : tensor<i1>
%19 = stablehlo.not %18 : tensor<i1>
%20 = stablehlo.constant dense<1.0e300> : tensor<f64>
%21 = stablehlo.multiply %20, %20 : tensor<f64>
%22 = stablehlo.convert %20 : (tensor<f64>) -> tensor<f32>
%23 = stablehlo.constant dense<123456789> : tensor<i64>
%24 = stablehlo.convert %23 : (tensor<i64>) -> tensor<f32>
%25 = stablehlo.convert %5 : (tensor<f32>) -> tensor<i8>
return %1, %3, %4, %6, %12, %14, %15, %17, %19, %21, %22, %24, %25 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<ui8>, tensor<i1>, tensor<f64>, tensor<f32>, tensor<f32>, tensor<i8>
}
// ==>
module {
  func.func @main() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<ui8>, tensor<i1>, tensor<f64>, tensor<f32>, tensor<f32>, tensor<i8>) {
    %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %c_0 = stablehlo.constant dense<251> : tensor<ui8>
    %cst_1 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c_5 = stablehlo.constant dense<123456789> : tensor<i64>
    %cst_6 = stablehlo.constant dense<1.000000e+300> : tensor<f64>
    %cst_7 = stablehlo.constant dense<1.000000e+03> : tensor<f32>
    %cst_8 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.log %cst_8 : tensor<f32>
    %1 = stablehlo.sqrt %cst_8 : tensor<f32>
    %2 = stablehlo.convert %cst_6 : (tensor<f64>) -> tensor<f32>
    %3 = stablehlo.convert %c_5 : (tensor<i64>) -> tensor<f32>
    %4 = stablehlo.convert %cst_7 : (tensor<f32>) -> tensor<i8>
    return %cst_9, %0, %1, %cst_4, %cst_3, %cst_2, %cst_1, %c_0, %c, %cst, %2, %3, %4 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<ui8>, tensor<i1>, tensor<f64>, tensor<f32>, tensor<f32>, tensor<i8>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
%0 = stablehlo.constant dense<3.0> : tensor<f32>
%1 = stablehlo.constant dense<4.0> : tensor<f32>
%c0 = stablehlo.constant dense<0> : tensor<i32>
%c9 = stablehlo.constant dense<9> : tensor<i32>
%w:3 = stablehlo.while(%x = %c0, %y = %a, %v = %0) : tensor<i32>, tensor<4xf32>, tensor<f32> cond { %c = stablehlo.compare LT, %x, %c9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
 stablehlo.return %c : tensor<i1> } do { %o = stablehlo.constant dense<1> : tensor<i32>
 %x1 = stablehlo.add %x, %o : tensor<i32>
 %l = stablehlo.multiply %v, %1 : tensor<f32>
 %lb = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<f32>) -> tensor<4xf32>
 %y1 = stablehlo.add %y, %lb : tensor<4xf32>
 stablehlo.return %x1, %y1, %v : tensor<i32>, tensor<4xf32>, tensor<f32> }
return %w#1, %w#2 : tensor<4xf32>, tensor<f32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
    %cst = stablehlo.constant dense<1.200000e+01> : tensor<4xf32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<9> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %c_1, %iterArg_3 = %arg0) : tensor<i32>, tensor<4xf32>
    cond {
      %1 = stablehlo.compare LT, %iterArg, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %iterArg, %c : tensor<i32>
      %2 = stablehlo.add %iterArg_3, %cst : tensor<4xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
    }
    return %0#1, %cst_0 : tensor<4xf32>, tensor<f32>
  }
}
// -----
// RUN stablehlo-target-independent-optimization
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %s: tensor<f32>, %i: tensor<4xi32>, %p: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<2x4xi1>, tensor<4x4xf32>, tensor<4xf32>) {
%t = stablehlo.constant dense<true> : tensor<i1>
%n1 = stablehlo.not %p : tensor<i1>
%bn = stablehlo.broadcast_in_dim %n1, dims = [] : (tensor<i1>) -> tensor<4xi1>
%7 = stablehlo.select %bn, %a, %b : tensor<4xi1>, tensor<4xf32>
%8 = stablehlo.select %bn, %b, %a : tensor<4xi1>, tensor<4xf32>
%c1x = stablehlo.compare LT, %i, %i, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
%x = stablehlo.xor %p, %t : tensor<i1>
%9 = stablehlo.select %x, %a, %b : tensor<i1>, tensor<4xf32>
%10 = stablehlo.iota dim = 0 : tensor<2x4xi32>
%11 = stablehlo.iota dim = 1 : tensor<2x4xi32>
%12 = stablehlo.compare EQ, %10, %11, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
%13 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
%14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
%15 = stablehlo.reshape %s : (tensor<f32>) -> tensor<1xf32>
%16 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<1xf32>) -> tensor<4xf32>
return %7, %8, %c1x, %9, %12, %14, %16 : tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<2x4xi1>, tensor<4x4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<f32>, %arg3: tensor<4xi32>, %arg4: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<2x4xi1>, tensor<4x4xf32>, tensor<4xf32>) {
    %c = stablehlo.constant dense<false> : tensor<4xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.not %arg4 : tensor<i1>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i1>) -> tensor<4xi1>
    %2 = stablehlo.select %1, %arg0, %arg1 : tensor<4xi1>, tensor<4xf32>
    %3 = stablehlo.select %1, %arg1, %arg0 : tensor<4xi1>, tensor<4xf32>
    %4 = stablehlo.xor %arg4, %c_0 : tensor<i1>
    %5 = stablehlo.select %4, %arg0, %arg1 : tensor<i1>, tensor<4xf32>
    %6 = stablehlo.iota dim = 0 : tensor<2xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xi32>) -> tensor<2x4xi32>
    %8 = stablehlo.iota dim = 0 : tensor<4xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %10 = stablehlo.compare EQ, %7, %9, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %11 = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<4x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
    %13 = stablehlo.reshape %arg2 : (tensor<f32>) -> tensor<1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<1xf32>) -> tensor<4xf32>
    return %2, %3, %c, %5, %10, %12, %14 : tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<2x4xi1>, tensor<4x4xf32>, tensor<4xf32>
  }
}
