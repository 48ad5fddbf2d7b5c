"""The house style: colours, fonts and ticks, applied to axes."""
