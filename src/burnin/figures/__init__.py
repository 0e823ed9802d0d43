"""Pictures of results: SVG text and the table behind it. Pure: values in, text out."""
