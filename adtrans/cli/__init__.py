"""The command `adtrans`: show, check, verify and explain derivatives without writing a program."""
