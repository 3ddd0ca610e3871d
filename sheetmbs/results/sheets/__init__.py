"""Result sheets that are no time series: summary, key results, rest, modes."""
