//! `linesman show`: a recorded game, board by board.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

use kit::View;
use referee::opening::Opening;
use referee::record::{GameRecord, format_comment};
use referee::registry::{Registry, Rules};

use crate::args::ShowArgs;
use crate::output::{one_line, printable};
use crate::render;
use crate::source;
use crate::usage::Failure;

/// Replays one game of a file.
pub(crate) fn run(args: &ShowArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let file = args.file.display();
    let source = source::read(&args.file)?;
    let number = args.game;
    let record = source
        .games
        .iter()
        .find(|record| record.game == number)
        .ok_or_else(|| {
            let n_games = source.games.len();
            Failure::Usage(format!(
                "N: game {number} is not among the {n_games} games of {file}"
            ))
        })?;
    let rules = source
        .game
        .as_ref()
        .and_then(|game| registry.rules(game).ok().flatten());
    let text = match rules {
        Some(rules) => boards(&rules, record)
            .map_err(|why| Failure::Trouble(format!("{file}: game {number}: {why}")))?,
        None => format!("{}\n", one_line(&record.moves.join(" "))),
    };
    let mut out = io::stdout().lock();
    let ending = render::finished(record);
    write!(out, "{}\n{ending}\n", printable(&text)).map_err(Failure::Output)?;
    Ok(ExitCode::SUCCESS)
}

/// The boards of a game, each below its move. An error names the move that the rules do not allow.
fn boards(rules: &Rules, record: &GameRecord) -> Result<String, kit::Rejection> {
    let start = Opening {
        fen: record.opening.fen.clone(),
        moves: Vec::new(),
    };
    let mut board = rules.open(&start)?;
    let mut text = format!("{}\n", board.draw(View::default()));
    for (index, code) in record.moves.iter().enumerate() {
        let side = board.side();
        let name = if side == kit::Side::P1 {
            &record.p1
        } else {
            &record.p2
        };
        board.play(code)?;
        let comment = record.plies.get(index).copied().flatten();
        let comment = comment
            .map(|ply| format!("  {}", format_comment(&ply)))
            .unwrap_or_default();
        let line = format!("{}. {side} ({name}): {code}{comment}", index + 1);
        let _ = write!(
            text,
            "\n{}\n{}\n",
            one_line(&line),
            board.draw(View::default())
        );
    }
    Ok(text)
}
