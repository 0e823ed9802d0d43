"""Drills: scenarios run by the models. Make it fit, find what broke, decide."""
