"""Trials of a solved workbook as files for other programs: `sheetmbs export gait`."""
