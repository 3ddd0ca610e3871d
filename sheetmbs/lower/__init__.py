"""From the model to arrays: names become numbers, joints become rows, samples become polynomials."""
