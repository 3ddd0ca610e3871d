"""Result sheets: what they show, and their XML."""
