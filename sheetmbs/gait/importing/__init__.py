"""Files of laboratories onto sheets of a workbook: `sheetmbs import gait`."""
