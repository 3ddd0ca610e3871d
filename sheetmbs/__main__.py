"""`python -m sheetmbs` is the command `sheetmbs`."""

from sheetmbs.cli import main

if __name__ == "__main__":
    main()
