"""Pure numeric models of training and serving large models."""
