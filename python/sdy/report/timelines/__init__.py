"""The timeline of a step: what a device computes, what is sent meanwhile, and what it waits for (spec: async, 13)."""
