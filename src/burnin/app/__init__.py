"""What a person can do: one package per activity, none importing another."""
