"""Results of several workbooks of gait in one."""
