"""What people see of gait: tables, and pages laid out cell by cell."""
