"""Files of every kind: written as a whole or not at all, and trusted only where nobody else can have changed them."""
