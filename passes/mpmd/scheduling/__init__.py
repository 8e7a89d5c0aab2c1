"""Passes that order the fragments of each mesh: pipeline schedules, rules, split and rematerialized fragments."""
