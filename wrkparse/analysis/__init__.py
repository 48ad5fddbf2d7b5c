"""From tables to answers: functions of a Dataset that return frames of numbers. Nothing here prints."""
