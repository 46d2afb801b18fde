"""Bridge files: PBN, LIN and links to the hand viewer, read and written."""
