"""Objects: which ones a function sees, and variables for their attributes."""
