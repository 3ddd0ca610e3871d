"""Adams-Bashforth-Moulton (Shampine and Gordon 1975)."""
