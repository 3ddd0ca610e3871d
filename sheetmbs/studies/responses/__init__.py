"""What a variant is judged by: expressions over result columns, distances from curves, cells of the user's."""
