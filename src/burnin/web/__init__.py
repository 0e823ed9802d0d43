"""The browser's face: pages, a small JSON interface, static files. No rules live here."""
