"""Sweeps: a whole grid of rules solved exactly, on all processors or on a Dask cluster."""
