//! `linesman show`: a recorded game as boards in text, step by step, or as SVG files.

use std::path::Path;
use std::process::ExitCode;

use draw::svg::{self, Theme};
use record::game::GameRecord;
use record::registry::Registry;
use replay::Replay;

use crate::args::ShowArgs;
use crate::output::{self, is_ascii_locale, one_line};
use crate::records::own_file::OwnFile;
use crate::records::render;
use crate::records::source::{self, Source};
use crate::usage::{Failure, fail, refuse};

mod replay;
mod step;

/// If all boards need more lines than this, only the moves and the last board are shown.
const MAX_LINES: usize = 1000;

/// Replays one game of a file.
pub(crate) fn run(args: &ShowArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let source = source::read(&args.file)?;
    let record = source.find(args.game)?;
    let file = args.file.display().to_string();
    let game = source.game.as_ref();
    let Some(rules) = game.and_then(|game| registry.rules(game).ok().flatten()) else {
        return show_unknown(args, record, &file);
    };
    let is_ascii = args.ascii || is_ascii_locale();
    let replay = Replay::new(&rules, record, source.comments(record), is_ascii);
    let mut replay =
        replay.map_err(|why| Failure::Trouble(format!("{file}: game {}: {why}", args.game)))?;
    let n_plies = record.moves.len();
    if let Some(from) = args.from.filter(|from| *from > n_plies.max(1)) {
        return refuse!(
            "--from {from}: game {} of {file} has {n_plies} moves: give 1 to {n_plies}",
            record.game
        );
    }
    // The position before the move.
    let from = args.from.map(|from| from - 1);
    if let Some(name) = &args.svg {
        return draw_svg(&mut replay, name, args.ply, &file);
    }
    let title = title(&source, record);
    if args.step {
        return step::run(&mut replay, from.unwrap_or(0), &title);
    }
    let text = match from {
        _ if args.moves => moves(&mut replay, from.unwrap_or(0)),
        Some(from) => boards(&mut replay, from),
        None => whole(&mut replay),
    };
    print(&format!("{title}\n\n{text}\n{}\n", replay.ending()))
}

/// Shows the moves of a game whose rules are unknown.
fn show_unknown(args: &ShowArgs, record: &GameRecord, file: &str) -> Result<ExitCode, Failure> {
    let drawn = [
        ("--svg", args.svg.is_some()),
        ("--step", args.step),
        ("--from", args.from.is_some()),
    ];
    if let Some((flag, _)) = drawn.iter().find(|(_, is_given)| *is_given) {
        return fail!("{flag}: {file}: the rules of its game are unknown: it cannot be drawn");
    }
    let ending = render::shown(record, None);
    print(&format!(
        "{}\n\n{ending}\n",
        one_line(&record.moves.join(" "))
    ))
}

fn print(text: &str) -> Result<ExitCode, Failure> {
    output::print_raw(text).map(|()| ExitCode::SUCCESS)
}

/// The game, its players and its date.
fn title(source: &Source, record: &GameRecord) -> String {
    let game = source.game.as_ref().map(|game| format!("{game}: "));
    let game = game.unwrap_or_default();
    let title = format!("{game}{} vs {}, {}", record.p1, record.p2, record.date);
    one_line(&title).into_owned()
}

/// The boards from a position on, each below its move.
fn boards(replay: &mut Replay<'_>, from: usize) -> String {
    let mut text = String::new();
    for ply in from..=replay.n_plies() {
        replay.go_to(ply);
        let line = replay.last_move() + "\n";
        text += &format!("{}{}\n\n", line.trim_start(), replay.draw());
    }
    text.trim_end_matches('\n').to_owned() + "\n"
}

/// The moves after a position, one per line.
fn moves(replay: &mut Replay<'_>, from: usize) -> String {
    let plies = from + 1..=replay.n_plies();
    let line = |ply| {
        replay.go_to(ply);
        replay.last_move() + "\n"
    };
    plies.map(line).collect()
}

/// All boards; if they are too many, the moves and the last board.
fn whole(replay: &mut Replay<'_>) -> String {
    let height = replay.draw().lines().count() + 2;
    let n_boards = replay.n_plies() + 1;
    if height * n_boards <= MAX_LINES {
        return boards(replay, 0);
    }
    replay.go_to(usize::MAX);
    format!(
        "{}\n\n{}\n{}\n\n{n_boards} boards are too many to show: --from N starts at move N, --step shows them one by \
         one,\n--moves lists the moves with their recorded details.\n",
        replay.codes(),
        replay.last_move(),
        replay.draw()
    )
}

/// Placeholder for the ply in the name of an SVG file.
const PLY: &str = "%d";

/// Draws the given ply, or one file per ply if the name has a placeholder, or else the last ply.
fn draw_svg(
    replay: &mut Replay<'_>,
    name: &str,
    ply: Option<usize>,
    file: &str,
) -> Result<ExitCode, Failure> {
    let (number, n_plies) = (replay.record.game, replay.n_plies());
    if let Some(ply) = ply.filter(|&ply| ply > n_plies) {
        return refuse!(
            "--ply {ply}: game {number} of {file} has {n_plies} plies: give 0 to {n_plies}"
        );
    }
    let plies = match ply {
        Some(ply) => ply..=ply,
        None if name.contains(PLY) => 0..=n_plies,
        None => n_plies..=n_plies,
    };
    let file = |ply: usize| {
        let name = name.replace(PLY, &ply.to_string());
        OwnFile::check(Path::new(&name), "--svg", svg::is_drawing)
    };
    // All files are checked before the first one is written.
    let files = plies.clone().map(file).collect::<Result<Vec<_>, _>>()?;
    for (ply, file) in plies.zip(files) {
        replay.go_to(ply);
        let picture = svg::write(&replay.diagram(), Theme::Auto);
        file.write(picture + "\n")?;
    }
    Ok(ExitCode::SUCCESS)
}
