"""Functions of installed packages, differentiated as they are: the collection and its fates."""
