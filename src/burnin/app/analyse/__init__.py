"""Analyse a response table that somebody brings: items, people, keys."""

from burnin.app.analyse.answers import Answers, read_answers
from burnin.app.analyse.service import analyse, read_anchors
from burnin.psychometrics.curves import Model

__all__ = ["Answers", "Model", "analyse", "read_anchors", "read_answers"]
