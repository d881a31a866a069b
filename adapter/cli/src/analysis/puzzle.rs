//! `linesman puzzle`: the positions of a suite as puzzles at a [table](crate::play); and the built-in suites.

use check::suite::{self, Puzzle};
use kit::fen::counted;
use record::registry::Registry;

use crate::args::{PlayArgs, PuzzleArgs, PuzzleSet};
use crate::game_name::{parse_game, rules};
use crate::usage::{Done, refuse, trouble};

/// The built-in suites, by game.
const SUITES: &[(&str, &str)] = &[
    (
        "graph-hockey",
        include_str!("../../suites/graph-hockey.epd"),
    ),
    ("gobblet", include_str!("../../suites/gobblet.epd")),
    ("susan", include_str!("../../suites/susan.epd")),
    ("projex", include_str!("../../suites/projex.epd")),
    ("entropy", include_str!("../../suites/entropy.epd")),
];

/// The table that poses the puzzles one by one until the last one or until the user quits.
pub(crate) fn table(args: &PuzzleArgs, registry: Registry) -> Done<PlayArgs> {
    let puzzles = puzzles(args, registry)?;
    let mut play = PlayArgs::of(&puzzles[0].rules.spec().to_string());
    play.table.limit = Some(args.limit.limit());
    (play.ascii, play.lines) = (args.ascii, args.lines);
    play.puzzles = Some(PuzzleSet {
        puzzles: puzzles.into(),
        first: args.from.or(Some(1)),
    });
    Ok(play)
}

/// The puzzles of the game: positions with known best moves.
fn puzzles(args: &PuzzleArgs, registry: Registry) -> Done<Vec<Puzzle>> {
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

/// The built-in suite of a game; empty if it has none.
pub(crate) fn built_in(game: &str, registry: Registry) -> Done<Vec<Puzzle>> {
    let own = SUITES.iter().find(|(name, _)| *name == game);
    suite::parse(own.map_or("", |(_, text)| text), registry)
        .map_err(|(line, why)| trouble(format!("the suite of {game}, line {line}"), why))
}
