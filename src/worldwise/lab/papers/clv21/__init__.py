"""CLV21's experiments: alpha-mu's switches, declarers, curves and threads."""
