//! Engines as UGI or UCI engines: with a log of their lines, in the other dialect, or from another protocol.
//!
//! `relay` passes lines between a client and an engine that speaks UGI or UCI, and translates between the dialects.
//! `adapter` wraps a program of another protocol, a `Program`, as a UGI engine, so that it can play in a match.
//! `client` holds the dialogue that `adapter` has with its client.

mod adapter;
mod client;
mod pipe;
mod relay;

use std::io::Write;

use record::engine_spec::{Program as EngineProgram, Proto};

use crate::cecp::CecpProgram;
use crate::gtp::GtpProgram;
use crate::{BridgeError, BridgeSetup, Done, Lines};

pub(crate) use adapter::{Attempt, Outgoing, Program, ProgramEvent};

/// Serves a UGI or UCI client until it quits, the engine ends, or the input has ended and all commands are done.
///
/// # Errors
/// The engine cannot be started or ends unexpectedly, or the output cannot be written.
pub fn run(setup: &BridgeSetup, lines: &Lines, output: &mut dyn Write) -> Done {
    let rules = setup.known_rules()?;
    if rules.is_none() && setup.engine.program == EngineProgram::Builtin {
        return Err(BridgeError::Unsuitable(format!(
            "{} has no built-in engine: expected --engine cmd=PROGRAM",
            setup.game
        )));
    }
    // The conventions for boards and half moves are those of compiled games.
    let is_compiled = rules.as_ref().is_some_and(|rules| !rules.are_of_program());
    let game = is_compiled.then(|| setup.game.name.clone());
    match setup.engine.proto {
        Proto::Ugi | Proto::Uci | Proto::Uai => relay::run(setup, rules, lines, output),
        Proto::Gtp => adapter::run(setup, lines, output, GtpProgram::new(game)),
        Proto::Cecp => adapter::run(setup, lines, output, CecpProgram::new(game)),
    }
}
