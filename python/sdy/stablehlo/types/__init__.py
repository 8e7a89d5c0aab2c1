"""Types as plain values, and relations between them."""
