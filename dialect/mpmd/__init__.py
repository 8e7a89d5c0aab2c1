"""The dialect `mpmd`: programs of several meshes, a fragment for each part that runs on one of them."""
