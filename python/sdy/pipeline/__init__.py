"""Reports on programs of several meshes: transfers, time of a step, waiting times of meshes."""
