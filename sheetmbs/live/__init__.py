"""The page on this machine's own address, and the workbook that is watched for it."""
