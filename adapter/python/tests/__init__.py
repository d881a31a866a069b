"""Tests of the package `linesman`. The environment variable `LINESMAN` names the program, else it is in the path."""
