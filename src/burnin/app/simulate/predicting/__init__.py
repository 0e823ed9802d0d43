"""Predict published figures from the models alone, and say what cannot be predicted and why.

Each table family is a module that registers its tables; see ``registry``.
"""

from burnin.app.simulate.predicting.predict import predict

__all__ = ["predict"]
