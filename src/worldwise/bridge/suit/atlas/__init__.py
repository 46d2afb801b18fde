"""The atlas: every suit combination there is, solved."""
