"""Forms, sittings, scores and reports. Time, randomness and ids are arguments."""
