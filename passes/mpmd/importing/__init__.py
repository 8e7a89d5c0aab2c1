"""Import of programs of several meshes: loops, calls, named ops, inputs and outputs, transfers."""
