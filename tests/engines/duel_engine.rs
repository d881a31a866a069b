//! An engine for the tests of `tune-options`: its strength depends on two of its options and on nothing else.
//!
//! The game is over after one move of each player. A move is a number, such as `v812`, and the larger one wins. It is
//! 1000 minus the squared distance of the options `First` and `Second` from 70 and 10, plus some noise. The noise is
//! computed from the options and the previous move, so it is the same in every process. `duel-engine BEST OTHER` has
//! other best values. `duel-engine silent=FILE` stops answering as soon as FILE exists.

use std::io::{self, BufRead, Write};
use std::path::Path;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let silencer = args.iter().find_map(|arg| arg.strip_prefix("silent="));
    let best = |at: usize, usual: i64| {
        let given = args.get(at).and_then(|arg| arg.parse().ok());
        given.unwrap_or(usual)
    };
    let best = [best(0, 70), best(1, 10)];
    let mut values = [50, 50];
    let mut moves: Vec<String> = Vec::new();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        if silencer.is_some_and(|path| Path::new(path).exists()) {
            continue;
        }
        match words[..] {
            ["ugi"] => {
                writeln!(out, "id name Duel\nid author nobody")?;
                for name in ["First", "Second"] {
                    writeln!(out, "option name {name} type spin default 50 min 0 max 100")?;
                }
                writeln!(out, "option name Flag type check default false\nugiok")?;
            }
            ["isready"] => writeln!(out, "readyok")?,
            ["setoption", "name", name, "value", value] => {
                let at = usize::from(name == "Second");
                values[at] = value.parse().unwrap_or(values[at]);
            }
            ["position", ..] => {
                let played = words.iter().skip_while(|word| **word != "moves").skip(1);
                moves = played.map(|word| (*word).to_owned()).collect();
            }
            ["query", "p1turn"] => writeln!(out, "response {}", moves.len().is_multiple_of(2))?,
            ["query", "gameover"] => writeln!(out, "response {}", moves.len() >= 2)?,
            ["query", "result"] => writeln!(out, "response {}", result(&moves))?,
            ["go", ..] => writeln!(out, "bestmove v{}", strength(values, best, &moves))?,
            ["quit"] => return Ok(()),
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}

fn strength(values: [i64; 2], best: [i64; 2], moves: &[String]) -> i64 {
    let distance: i64 = values
        .iter()
        .zip(best)
        .map(|(value, best)| (value - best).pow(2))
        .sum();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in format!("{values:?}{moves:?}").bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let noise = (hash >> 32) % 400;
    100_000 - distance + i64::try_from(noise).unwrap_or_default()
}

fn result(moves: &[String]) -> &'static str {
    let value = |at: usize| -> Option<i64> { moves.get(at)?.strip_prefix('v')?.parse().ok() };
    match value(0).zip(value(1)) {
        None => "none",
        Some((one, other)) if one > other => "p1win",
        Some((one, other)) if one < other => "p2win",
        _ => "draw",
    }
}
