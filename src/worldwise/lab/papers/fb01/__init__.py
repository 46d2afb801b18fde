"""FB01's experiments: random trees and single suits."""
