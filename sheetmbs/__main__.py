"""The process of the command `sheetmbs`, also `python -m sheetmbs`. Imports stand inside the `try` that answers Ctrl-C."""

import gc
import sys


def main() -> None:
    """Entry point of the process."""
    gc.disable()  # what a run makes lives until its end, and looking for rubbish took a quarter of its time
    try:
        from sheetmbs.command import cli

        cli.main()
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
