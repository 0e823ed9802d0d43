"""Serving: what a step of an engine costs, and what requests then see."""
