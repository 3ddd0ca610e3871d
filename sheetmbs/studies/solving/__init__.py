"""From a point of a study to its responses: changed cells, their formulas, the solve, the expressions."""
