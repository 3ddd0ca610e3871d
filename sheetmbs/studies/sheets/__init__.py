"""What people see of a study: the result sheets `mbs Study`, `mbs Study Summary`, `mbs Study Charts`, `mbs Study Curves`."""
