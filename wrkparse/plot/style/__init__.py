"""The house style: colours, fonts, ticks, and how they are applied to axes."""
