"""Benchmarks of sheetmbs: `python -m benchmarks` lists the studies."""

import os

# before numpy is loaded: every side computes on one thread
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
