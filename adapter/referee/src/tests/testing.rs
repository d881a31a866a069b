//! Shared test code: in-memory engines that play Nim.

use std::io;
use std::path::Path;
use std::time::Duration;

use kit::dyn_history::expected_reply;
use protocol::Query;
use record::engine_spec::OwnProgram;
use record::opening::Opening;

use crate::client::memory::Wire;
use crate::client::{Message, Timeouts};
use crate::player::EngineConfig;
use crate::process::Transport;
use crate::record_testing::{rules, spec};

pub(crate) const TIMEOUTS: Timeouts = Timeouts {
    startup: Duration::from_secs(60),
    ping: Duration::from_secs(60),
    search: Duration::from_secs(60),
};

/// An in-memory engine that plays Nim.
pub(crate) fn config(name: &str) -> EngineConfig {
    faulty(name, |_| None)
}

/// An engine that plays Nim, except that it answers a line with the output of `fault` if there is one.
pub(crate) fn faulty(name: &str, fault: fn(&str) -> Option<&str>) -> EngineConfig {
    connected(name, move || Ok(Box::new(wire(fault))))
}

/// The transport of a Nim engine.
pub(crate) fn nim_engine() -> Wire {
    wire(|_| None)
}

fn wire(fault: fn(&str) -> Option<&str>) -> Wire {
    let mut position = String::new();
    Wire::answering(Box::new(move |line| match fault(line) {
        Some(said) => vec![said.to_owned()],
        None => answer(&mut position, line),
    }))
}

/// An engine with a custom transport.
pub(crate) fn connected(
    name: &str,
    connect: impl Fn() -> io::Result<Box<dyn Transport<Message>>> + Send + Sync + 'static,
) -> EngineConfig {
    let own = OwnProgram {
        path: Path::new("linesman"),
        game: "nim",
        args: &[],
    };
    let mut config = EngineConfig::alone(&spec(name), own, TIMEOUTS);
    config.rules = Some(rules());
    config.connect_by(connect)
}

/// The answer of a correct engine, which plays the first legal move.
fn answer(position: &mut String, line: &str) -> Vec<String> {
    let said = match line.split(' ').next().unwrap_or_default() {
        "ugi" => "ugiok".to_owned(),
        "isready" => "readyok".to_owned(),
        "position" => {
            line.clone_into(position);
            return Vec::new();
        }
        "go" => format!(
            "bestmove {}",
            ask(position, Query::Moves)
                .split(' ')
                .next()
                .unwrap_or_default()
        ),
        "query" => {
            let asked = Query::ALL
                .into_iter()
                .find(|query| line == format!("query {}", query.word()));
            asked.map_or_else(String::new, |query| {
                format!("response {}", ask(position, query))
            })
        }
        _ => return Vec::new(),
    };
    vec![said]
}

fn ask(position: &str, query: Query) -> String {
    let opening = Opening::parse(position.strip_prefix("position ").unwrap_or("startpos"));
    let board = rules().open(&opening).expect("a legal position");
    expected_reply(board.as_ref(), query).unwrap_or_default()
}
