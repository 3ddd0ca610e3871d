"""From numbers to named columns, sheets and data frames."""
