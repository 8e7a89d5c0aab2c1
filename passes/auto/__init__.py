"""Automatic partitioning: from a program, a mesh and a machine to the shardings that make its step short.

`elimination` and `tables` know nothing of programs: they minimise sums of tables over variables. `layouts` and
`reshard_prices` say where tensors may be and what it costs to move them; `strategies` what each op may do;
`program_graph` reads a program into variables and edges; `descent` searches; `annotating` writes down what was found.
"""
