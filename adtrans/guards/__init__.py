"""Is what a function captured still what it was?"""
