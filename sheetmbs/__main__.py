"""The process of the command `sheetmbs`, also `python -m sheetmbs`: what it loads stands where Ctrl-C has its answer."""

import sys


def main() -> None:
    """Entry point of the process."""
    try:
        from sheetmbs.command import cli  # noqa: PLC0415 - loading it takes a moment, in which somebody may press Ctrl-C

        cli.main()
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
