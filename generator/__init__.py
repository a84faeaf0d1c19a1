"""Reads the op registry and writes everything that follows from it.

The way of the data: yaml_tree -> loader -> declarations -> resolve (expressions) -> Op, then
plan (what a gradient reads and keeps) -> cpp_* and python_* (text) -> templates -> output.
No module here knows an op by name.
"""
