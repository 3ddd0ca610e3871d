"""Libraries of native code at work on foreign input: in a process of their own, with limits on memory and time."""
