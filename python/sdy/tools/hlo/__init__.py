"""What `sdy-hlo` consists of."""
