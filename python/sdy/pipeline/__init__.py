"""Reports on programs of several meshes: what is transferred, what a step takes, where meshes wait."""
