"""The sheets Study, Variables, Variants and Responses: from cells to what a study asks for."""
