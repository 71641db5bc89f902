"""The impure half: everything that touches disk, DuckDB, the clock or a terminal."""
