//! Tables in memory: scripted engines, a made-up time, and Nim.

mod analysis;
mod case;
mod clients;
mod consent;
mod engines;
mod games;
mod partners;
mod play;
mod seats;
mod thread;
mod wire;
