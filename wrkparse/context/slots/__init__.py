"""The parts of a run's place, and what the names in each of them say."""
