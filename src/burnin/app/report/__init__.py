"""The report after a sitting: what it teaches, how results move, and its rows as files."""

from burnin.app.report.exporting import COLUMNS, csv_text, parquet_bytes, rows
from burnin.app.report.service import FullReport, Reports
from burnin.exam.next_actions import Action

__all__ = ["COLUMNS", "Action", "FullReport", "Reports", "csv_text", "parquet_bytes", "rows"]
