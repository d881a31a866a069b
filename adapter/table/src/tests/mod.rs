//! Tables in memory, with scripted engines, simulated time, and Nim as the game.

mod analysis;
mod brief;
mod case;
mod clients;
mod dialogues;
mod engines;
mod games;
mod laws;
mod partners;
mod play;
mod seats;
mod session;
mod thread;
mod view;
mod wire;
