//! e-mail Entropy (Augustine Carreno, 1994): rules, notation and engine.
