"""What a product is: a kind of workbook, from its sheets to results, a page and variants."""
