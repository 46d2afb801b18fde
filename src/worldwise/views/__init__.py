"""What the views of every game share: pen and paper, lettering, words and figures with intervals."""
