//! SPSA: an engine's spin options, tuned by matches of the engine against itself.
//!
//! An iteration moves all parameters away from their values at once, each one up or down at random, and plays a few pairs
//! of games between the two engines on either side. Then each value moves towards the side that won. [`settings`] has the
//! parameters and the gain sequences, [`Course`] the values, [`StateFile`] what is kept of them on the disk, [`Tuner`] the
//! engines and their games. `spec/tuning.md` has the formulas.
//!
//! Source: J. C. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization", IEEE
//! Transactions on Aerospace and Electronic Systems 34 (1998), pages 817 to 823. The gains are scaled as fishtest and
//! OpenBench scale them: by the step and the rate that are wanted at the end.

mod course;
pub mod settings;
mod state_file;
mod tuner;

pub use course::{Course, Trial};
pub use settings::{Gains, Param, Tuning};
pub use state_file::{Iteration, StateFile};
pub use tuner::{Score, Tuner};
