"""Where data enters: input files found, their columns judged, their rows read.

`files` finds and fingerprints, `remote` does so in object stores, `layout` decides which column is
what, `delimited` turns CSV into Parquet as text and `jsonlines` JSON Lines as they are written,
`partitions` reads columns off the names of folders, `rows` reads a task into the one declared frame
that the rules take, `truth` reads truth tables, and `keys` finds answer ids that occur twice.
"""
