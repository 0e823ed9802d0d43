"""What a sitting lets one do beside answering: strike options out, write notes."""

from burnin.app.aids.service import Aids, AidsOf

__all__ = ["Aids", "AidsOf"]
