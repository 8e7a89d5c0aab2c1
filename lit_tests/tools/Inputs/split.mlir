sdy.mesh @first = <["a"=2]>
// -----
sdy.mesh @second = <["a"=4]>
// Lines that only look like a separator:

//-----

// ----- what stands behind a separator does not matter
sdy.mesh @third = <["a"=8]>
// -----
