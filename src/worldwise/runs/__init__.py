"""Long jobs: plans, durable rows, a process pool, a cluster and signals."""
