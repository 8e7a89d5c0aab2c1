sdy.mesh @first = <["a"=2]>
// -----
// A line that only looks like a separator:
 // -----
sdy.mesh @second = <["a"=4]>

//-----

// ----- what stands behind a separator does not matter
sdy.mesh @third = <["a"=8]>
// -----
