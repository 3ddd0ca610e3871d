"""Native charts of the results: drawn, remembered, renewed, and the sheets that they stand on."""
