"""Pictures of mechanisms and of mode shapes."""
