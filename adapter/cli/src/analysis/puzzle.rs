//! `linesman puzzle`: the positions of a suite as puzzles at a [table](crate::play).

use std::process::ExitCode;

use check::suite;
use check::suite::Puzzle;
use kit::fen::counted;
use record::registry::Registry;

use crate::analysis::suites::{PuzzleSet, built_in};
use crate::args::{PlayArgs, PuzzleArgs};
use crate::game_name::{parse_game, rules};
use crate::play;
use crate::usage::{Failure, refuse};

/// Poses the puzzles one by one until the last one or until the user quits.
pub(crate) fn run(args: &PuzzleArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let puzzles = puzzles(args, registry)?;
    let mut play = PlayArgs::of(&puzzles[0].rules.spec().to_string());
    play.table.limit = args.limit.word();
    (play.ascii, play.lines) = (args.ascii, args.lines);
    play.puzzles = Some(PuzzleSet {
        puzzles: puzzles.into(),
        first: args.from.or(Some(1)),
    });
    play::run(&play, registry)
}

/// The puzzles of the game: positions with known best moves.
fn puzzles(args: &PuzzleArgs, registry: Registry) -> Result<Vec<Puzzle>, Failure> {
    let game = parse_game(&args.game, registry)?;
    let asked = rules(registry, &game)?;
    let mut puzzles = match &args.file {
        Some(file) => suite::load(file, registry)?,
        None => built_in(asked.entry().name, registry)?,
    };
    let shape = asked.start().shape();
    let is_wanted = |puzzle: &Puzzle| {
        let board = puzzle.rules.open(&puzzle.opening);
        let has_shape = || board.is_ok_and(|board| board.shape() == shape);
        puzzle.rules.entry().name == asked.entry().name && (game.options.is_empty() || has_shape())
    };
    puzzles.retain(|puzzle| is_wanted(puzzle) && !puzzle.best.is_empty());
    let n_puzzles = puzzles.len();
    if n_puzzles == 0 {
        return refuse!(
            "GAME: no puzzle of {game}: name another game, other options or a suite of its positions"
        );
    }
    if args.from.is_some_and(|first| first > n_puzzles) {
        let all = counted(n_puzzles, "puzzle");
        return refuse!("--from: {all} of {game} are known: give 1 to {n_puzzles}");
    }
    Ok(puzzles)
}
