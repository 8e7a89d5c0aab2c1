"""Facts about functions of several meshes, their fragments and transfers, that several passes ask for."""
