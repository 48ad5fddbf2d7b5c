"""Labels that follow from where runs stand among each other."""
