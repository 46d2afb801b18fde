"""Doors to other programs: what they are asked, and the shape of what they answer."""
