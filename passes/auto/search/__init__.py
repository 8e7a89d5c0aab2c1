"""The search for the best plan. It depends on the costs of a program only, and writes nothing.

`elimination` and `tables` are independent of programs: they minimise sums of tables over variables. `reshard_prices`
has the cost of moving tensors, `strategies` the choices of each op, `deliveries` the cost of bringing a result to its
use. `program_graph` reads a program into variables and edges, `problem` attaches strategies and prices to them;
`descent` searches, `limited_search` where memory is limited.
"""
