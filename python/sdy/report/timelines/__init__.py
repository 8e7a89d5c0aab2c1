"""The timeline of a step: computation, transfers, and waiting times of a device (spec: async, 13)."""
