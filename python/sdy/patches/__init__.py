"""Patches of the user's source that write down shardings: of a plan, of a cure, of any annotated program."""
