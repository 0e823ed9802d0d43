"""From evidence to ability, memory, readiness and a plan. Pure: time and chance are arguments."""
