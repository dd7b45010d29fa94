"""UCI: lets any UCI chess program play our variants with our engine."""
