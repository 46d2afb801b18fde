"""Figures with confidence intervals, for experiments; they are computed in ``core.statistics``."""

from worldwise.core.statistics import (
    CONFIDENCE,
    Estimate,
    bootstrap_mean,
    mean,
    mean_of_sums,
    rate_difference,
    wilson,
)

__all__ = ["CONFIDENCE", "Estimate", "bootstrap_mean", "mean", "mean_of_sums", "rate_difference", "wilson"]
