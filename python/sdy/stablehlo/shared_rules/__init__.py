"""Rules that shape functions and verifiers of several families of ops share."""
