"""Item calibration, ability, item analysis and adaptive choice: numbers in, numbers out."""
