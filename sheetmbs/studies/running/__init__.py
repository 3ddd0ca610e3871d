"""Running the variants of a study: in chunks, by workers, with a journal, so that nothing is lost."""
