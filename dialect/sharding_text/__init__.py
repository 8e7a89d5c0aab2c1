"""Sharding text of XLA (`mhlo.sharding`) as values: no MLIR (spec: interchange, 2 to 4).

>>> from sdy.dialect.sharding_text.sharding_reader import read
>>> str(read("{devices=[2,2]<=[1,4]T(1,0)}"))
'{devices=[2,2]<=[4]}'
"""
