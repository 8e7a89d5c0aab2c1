"""From reshards to collectives."""
