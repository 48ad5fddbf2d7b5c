"""Whether runs agree with themselves: findings, verdicts, advice."""
