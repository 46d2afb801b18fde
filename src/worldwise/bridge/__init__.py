"""Bridge: rules, files, layouts of the hidden hands, solvers, single suits, advice, players and views."""
