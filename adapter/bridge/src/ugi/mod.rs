//! UGI outside: an engine as an engine, with its lines in a log, in another dialect, or of another protocol.
//!
//! `relay` passes lines between a client and an engine that speaks UGI or UCI, and translates where their dialects
//! differ. `adapter` is a UGI engine around a program of another protocol, a [`Program`]: so a match has such a program as
//! a player.

mod adapter;
mod dialect;
mod pipe;
mod program;
mod relay;
mod server;

use std::io::Write;

use referee::plan::Proto;

use crate::cecp::CecpProgram;
use crate::gtp::GtpProgram;
use crate::{BridgeError, BridgeSetup, Lines};

pub use program::{Program, ProgramEvent, Search};

/// Serves a UGI or UCI client until it quits, its lines end and what they asked for is done, or the engine ends.
///
/// # Errors
/// The engine cannot be started or ends by itself, or the output cannot be written.
pub fn run(setup: &BridgeSetup, lines: &Lines, output: &mut dyn Write) -> Result<(), BridgeError> {
    match setup.engine.proto {
        Proto::Ugi | Proto::Uci => relay::run(setup, lines, output),
        Proto::Gtp => adapter::run(setup, lines, output, GtpProgram::new(&setup.game.name)),
        Proto::Cecp => adapter::run(setup, lines, output, CecpProgram::new(&setup.game.name)),
    }
}
