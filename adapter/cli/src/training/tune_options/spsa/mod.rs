//! SPSA: tunes an engine's spin options by games of the engine against itself.
//!
//! An iteration perturbs all parameters at once, each up or down at random, and plays a few pairs of games between the
//! engines with the two opposite perturbations. Each value then moves towards the winner's. [`settings`] holds the
//! parameters and gain sequences, [`Course`] the values, [`StateFile`] the state on disk, [`Tuner`] the engines and
//! their games. `spec/tuning.md` has the formulas.
//!
//! Source: J. C. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization", IEEE
//! Transactions on Aerospace and Electronic Systems 34 (1998), pages 817 to 823. The gains are scaled as in fishtest
//! and OpenBench: by their desired values in the last iteration.

mod course;
pub(crate) mod settings;
mod state_file;
mod tuner;

pub(crate) use course::{Course, Trial};
pub(crate) use settings::{Gains, Param, Tuning};
pub(crate) use state_file::{Iteration, StateFile};
pub(crate) use tuner::{Score, Tuner};
