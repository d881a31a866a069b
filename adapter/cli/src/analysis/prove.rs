//! `linesman prove`: finds the winning moves of a position by proof-number search.

use std::process::ExitCode;

use kit::search::proof::{MoveProof, MoveValue, ProofSettings};
use record::opening::Opening;
use record::registry::Registry;
use serde_json::json;

use crate::args::ProveArgs;
use crate::game_name::{parse_game, rules};
use crate::output::{print, put};
use crate::usage::{Failure, OrFail};

/// Proves the value of each move, shows one line per move, and then the winner.
pub(crate) fn run(args: &ProveArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let spec = parse_game(&args.game, registry)?;
    let rules = rules(registry, &spec)?;
    let opening = Opening {
        moves: args.moves.clone(),
        ..Opening::default()
    };
    rules.check(&opening).or_usage("MOVE")?;
    let engine = rules.engine(&opening).or_usage("GAME")?;
    let settings = ProofSettings {
        within: args.plies,
        table_mib: args.hash,
        time: args.st,
    };
    let (mut tally, mut failure) = (Tally::default(), None);
    let mut tell = |proof: &MoveProof<String>| {
        tally.count(proof.value);
        if failure.is_none() {
            failure = put(&line(args, proof), args.json).err();
        }
        failure.is_none()
    };
    engine.prove_moves(&settings, &mut tell);
    if let Some(error) = failure {
        return Err(Failure::Output(error));
    }
    let names = engine.side_names();
    // Players too, not colours alone: a move such as Projex's `swap` exchanges the colours.
    let [own, enemy] = [engine.side(), engine.side().other()].map(|side| {
        let (name, player) = (&names[side.index()], side.to_string());
        match *name == player {
            true => player,
            false => format!("{name} ({player})"),
        }
    });
    let text = match args.json {
        true => tally.json(),
        false => tally.text(&own, &enemy, args.plies),
    };
    print(&text, args.json)?;
    Ok(ExitCode::SUCCESS)
}

fn line(args: &ProveArgs, proof: &MoveProof<String>) -> String {
    let MoveProof {
        mv,
        value,
        nodes,
        time,
    } = proof;
    let seconds = time.as_secs_f64();
    if args.json {
        let (word, plies) = match *value {
            MoveValue::Win(plies) => ("win", Some(plies)),
            MoveValue::Loss => ("loss", None),
            MoveValue::NoWin => ("no win", None),
            MoveValue::Unknown => ("unknown", None),
        };
        let line =
            json!({"move": mv, "value": word, "within": plies, "nodes": nodes, "time": seconds});
        return line.to_string();
    }
    let told = match *value {
        MoveValue::Win(1) => "wins at once".to_owned(),
        MoveValue::Win(plies) => format!("wins within {plies} plies"),
        MoveValue::Loss => "loses".to_owned(),
        MoveValue::NoWin => format!("neither side wins within {} plies", args.plies),
        MoveValue::Unknown => "not proved".to_owned(),
    };
    format!("{mv}: {told} ({nodes} nodes, {seconds:.1} s)")
}

/// Number of moves with each value.
#[derive(Debug, Default)]
struct Tally {
    won: usize,
    lost: usize,
    no_win: usize,
    unknown: usize,
}

impl Tally {
    fn count(&mut self, value: MoveValue) {
        let count = match value {
            MoveValue::Win(_) => &mut self.won,
            MoveValue::Loss => &mut self.lost,
            MoveValue::NoWin => &mut self.no_win,
            MoveValue::Unknown => &mut self.unknown,
        };
        *count += 1;
    }

    fn n_moves(&self) -> usize {
        self.won + self.lost + self.no_win + self.unknown
    }

    /// The value of the position, for the player to move.
    fn value(&self) -> &'static str {
        match self {
            Tally { won: 1.., .. } => "win",
            Tally { unknown: 1.., .. } => "unknown",
            Tally { no_win: 1.., .. } => "no win",
            _ => "loss",
        }
    }

    fn text(&self, own: &str, enemy: &str, plies: u32) -> String {
        let verdict = match self.value() {
            "win" => format!("{own} to move wins"),
            "loss" => format!("{own} to move loses, {enemy} wins"),
            "no win" => format!("neither side wins within {plies} plies"),
            _ => "not proved".to_owned(),
        };
        let counts = [
            (self.won, "won"),
            (self.lost, "lost"),
            (self.no_win, "without a win"),
            (self.unknown, "not proved"),
        ];
        let counts: Vec<String> = counts
            .into_iter()
            .filter(|&(n, _)| n > 0)
            .map(|(n, word)| format!("{n} {word}"))
            .collect();
        format!(
            "{verdict}; of {} moves {}",
            self.n_moves(),
            counts.join(", ")
        )
    }

    fn json(&self) -> String {
        let line = json!({
            "value": self.value(),
            "moves": self.n_moves(),
            "won": self.won,
            "lost": self.lost,
            "no-win": self.no_win,
            "unknown": self.unknown,
        });
        line.to_string()
    }
}
