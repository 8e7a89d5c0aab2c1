"""Comparison of every pass with the C++ reference on random programs.

python -m tests.parity sdy-basic-propagate --seeds 1000     # one pass, more programs
python -m tests.parity sdy-basic-propagate --seed 17        # one program, shown whole
"""
