"""The recorder: derivatives of any Python program, by recording the run of its rewritten source.

The compiler differentiates numerical code before it runs. What it cannot follow is recorded: each
function is rewritten alone when it is first reached (`rewrite`, `functions`), numbers carry their
place in the record (`numbers`), arrays are known by the memory that they look into (`memory`), and
each operation notes what the formulas of its rule need (`apply`, `arrays`, `levels`). A write into
what is needed is an error at the write, or a copy. Then the record is walked backwards (`sweep`).
"""
