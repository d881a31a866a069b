//! Graph Hockey (Robert Maas, 1970): rules, notation and engine.
