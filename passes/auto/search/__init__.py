"""The search for the best plan. It knows only the costs of a program, and writes nothing.

`elimination` and `tables` know nothing of programs: they minimise sums of tables over variables. `reshard_prices` says
what it costs to move tensors, `strategies` what each op may do, `deliveries` what it costs to bring what one returns to
where it is used; `program_graph` reads a program into variables and edges, `problem` puts strategies and prices to
them; `descent` searches, `limited_search` where memory is limited.
"""
