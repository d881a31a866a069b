//! `linesman-lab prove`: finds the winning moves of a position by proof-number search.

use std::process::ExitCode;

use kit::search::has_memory;
use lab::prove::{MoveProof, MoveValue, ProofSettings, prove_moves};
use record::opening::Opening;
use record::registry::Registry;
use serde_json::json;

use crate::args::ProveArgs;
use linesman::game_name::{parse_game, rules};
use linesman::output::{finish, put};
use linesman::usage::{Failure, OrFail, fail, plain_trouble};

/// Proves the value of each move, shows one line per move, and then the winner.
pub(crate) fn run(args: &ProveArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let spec = parse_game(&args.game, registry)?;
    let rules = rules(registry, &spec)?;
    let opening = Opening {
        moves: args.moves.clone(),
        ..Opening::default()
    };
    rules.check(&opening).or_usage("MOVE")?;
    let engine = rules.open(&opening).or_usage("GAME")?;
    if !has_memory(args.hash) {
        return fail!("--hash: {} MiB cannot be allocated: give less", args.hash);
    }
    let settings = ProofSettings {
        within: args.plies,
        table_mib: args.hash,
        time: args.st,
    };
    let (mut tally, mut failure) = (Tally::default(), None);
    let mut tell = |proof: MoveProof| {
        if engine.fault().is_some() {
            return false;
        }
        tally[index(proof.value)] += 1;
        if failure.is_none() {
            failure = put(&line(args, &proof), args.json).err();
        }
        failure.is_none()
    };
    prove_moves(engine.as_ref(), &settings, &mut tell);
    if let Some(error) = failure {
        return Err(Failure::Output(error));
    }
    if let Some(why) = engine.fault() {
        return Err(plain_trouble(why));
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
        true => json(&tally),
        false => text(&tally, &own, &enemy, args.plies),
    };
    finish(&text, args.json)
}

fn line(args: &ProveArgs, proof: &MoveProof) -> String {
    let (mv, nodes, seconds) = (&proof.mv, proof.nodes, proof.time.as_secs_f64());
    if args.json {
        let (word, ..) = VALUES[index(proof.value)];
        let plies = match proof.value {
            MoveValue::Win(plies) => Some(plies),
            _ => None,
        };
        let line =
            json!({"move": mv, "value": word, "within": plies, "nodes": nodes, "time": seconds});
        return line.to_string();
    }
    let value = match proof.value {
        MoveValue::Win(1) => "wins at once".to_owned(),
        MoveValue::Win(plies) => format!("wins within {plies} plies"),
        MoveValue::Loss => "loses".to_owned(),
        MoveValue::NoWin => format!("neither side wins within {} plies", args.plies),
        MoveValue::Unknown => "not proved".to_owned(),
    };
    format!("{mv}: {value} ({nodes} nodes, {seconds:.1} s)")
}

/// The numbers of moves with each value, in the order of [`VALUES`].
type Tally = [usize; 4];

/// Each value: as a word of JSON, and the name of the number of such moves in JSON and in text. A position has the value
/// of the first that one of its moves has.
const VALUES: [(&str, &str, &str); 4] = [
    ("win", "won", "won"),
    ("unknown", "unknown", "not proved"),
    ("no win", "no-win", "without a win"),
    ("loss", "lost", "lost"),
];

fn index(value: MoveValue) -> usize {
    match value {
        MoveValue::Win(_) => 0,
        MoveValue::Unknown => 1,
        MoveValue::NoWin => 2,
        MoveValue::Loss => 3,
    }
}

/// The value of the position, as a word of JSON.
fn value(tally: &Tally) -> &'static str {
    let found = tally.iter().position(|n| *n > 0);
    VALUES[found.unwrap_or(3)].0
}

fn text(tally: &Tally, own: &str, enemy: &str, plies: u32) -> String {
    let verdict = match value(tally) {
        "win" => format!("{own} to move wins"),
        "loss" => format!("{own} to move loses, {enemy} wins"),
        "no win" => format!("neither side wins within {plies} plies"),
        _ => "not proved".to_owned(),
    };
    // Won and lost moves come first.
    let counts = [0, 3, 2, 1].map(|i| (tally[i], VALUES[i].2));
    let counts = counts.iter().filter(|(n, _)| *n > 0);
    let counts: Vec<String> = counts.map(|(n, word)| format!("{n} {word}")).collect();
    let n_moves: usize = tally.iter().sum();
    format!("{verdict}; of {n_moves} moves {}", counts.join(", "))
}

fn json(tally: &Tally) -> String {
    let n_moves: usize = tally.iter().sum();
    let mut line = json!({"value": value(tally), "moves": n_moves});
    for (n, (_, name, _)) in tally.iter().zip(VALUES) {
        line[name] = json!(n);
    }
    line.to_string()
}
