"""From an exported program of several meshes to arrays: instructions, executables, dispatch."""
