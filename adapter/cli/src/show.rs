//! `linesman show`: a recorded game, board by board, as text or as SVG files.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use kit::diagram::svg::{self, Theme};
use kit::{DynHistory, Rejection, View};
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
    let record = source.find(number)?;
    let rules = source
        .game
        .as_ref()
        .and_then(|game| registry.rules(game).ok().flatten());
    if let Some(name) = &args.svg {
        let rules = rules.ok_or_else(|| {
            Failure::Trouble(format!(
                "{file}: the rules of its game are not known here, so it cannot be drawn"
            ))
        })?;
        draw(&rules, record, name, args.ply, &file.to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
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

/// What stands for the number of the ply in the name of a picture.
const PLY: &str = "%d";

/// Writes the picture of a ply, of the last one, or one of each ply where the name has a place for the number.
fn draw(
    rules: &Rules,
    record: &GameRecord,
    name: &str,
    ply: Option<usize>,
    file: &str,
) -> Result<(), Failure> {
    let (number, n_plies) = (record.game, record.moves.len());
    let trouble = |why: Rejection| Failure::Trouble(format!("{file}: game {number}: {why}"));
    if let Some(ply) = ply.filter(|&ply| ply > n_plies) {
        return Err(Failure::Usage(format!(
            "--ply {ply}: expected 0 to {n_plies}, the plies of game {number} of {file}"
        )));
    }
    let plies = match ply {
        Some(ply) => ply..=ply,
        None if name.contains(PLY) => 0..=n_plies,
        None => n_plies..=n_plies,
    };
    let mut board = open(rules, record).map_err(trouble)?;
    for ply in 0..=*plies.end() {
        if ply > 0 {
            board.play(&record.moves[ply - 1]).map_err(trouble)?;
        }
        if plies.contains(&ply) {
            write_picture(board.as_ref(), &name.replace(PLY, &ply.to_string()))?;
        }
    }
    Ok(())
}

fn write_picture(board: &dyn DynHistory, name: &str) -> Result<(), Failure> {
    let picture = svg::write(&board.diagram(View::default()), Theme::Auto);
    fs::write(name, picture + "\n").map_err(|why| Failure::Trouble(format!("{name}: {why}")))
}

/// The board before the first recorded move.
fn open(rules: &Rules, record: &GameRecord) -> Result<Box<dyn DynHistory>, Rejection> {
    rules.open(&Opening {
        fen: record.opening.fen.clone(),
        moves: Vec::new(),
    })
}

/// The boards of a game, each below its move. An error names the move that the rules do not allow.
fn boards(rules: &Rules, record: &GameRecord) -> Result<String, Rejection> {
    let mut board = open(rules, record)?;
    let mut text = format!("{}\n", board.draw(View::default()));
    for (index, code) in record.moves.iter().enumerate() {
        let side = board.side();
        let name = if side == kit::Side::P1 {
            &record.p1
        } else {
            &record.p2
        };
        board.play(code)?;
        let ply = record.plies.get(index).and_then(Option::as_ref);
        let name = ply.and_then(|ply| ply.by.as_ref()).unwrap_or(name);
        let comment = ply
            .map(|ply| format!("  {}", format_comment(ply)))
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
