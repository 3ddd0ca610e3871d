"""Design studies: cells of a workbook vary, each variant is solved, and responses tell what became of it."""
