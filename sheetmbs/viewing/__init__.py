"""Results as what a page shows of them: its document, one file of it."""
