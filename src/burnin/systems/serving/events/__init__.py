"""Requests one by one through the steps of engines."""
