"""Views: trees and results as pictures and as text. They render, and hold no logic of games or searches."""
