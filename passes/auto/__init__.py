"""Automatic partitioning: from a program, a mesh and a machine to the shardings that make its step short.

`elimination` and `tables` know nothing of programs: they minimise sums of tables over variables. `reshard_prices` says
what it costs to move tensors, `strategies` what each op may do; `program_graph` reads a program into variables and
edges, `problem` puts strategies and prices to them; `descent` searches; `annotating` writes down what was found.
"""
