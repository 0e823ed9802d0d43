"""Run the simulators of training and serving and say in words what they show."""
