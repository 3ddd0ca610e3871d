"""The file as a package of parts: opened, judged, its parts edited, packed and put into its place."""
