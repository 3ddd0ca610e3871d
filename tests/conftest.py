"""Settings for all tests."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # tests run side by side: threads of linear algebra would only wait
