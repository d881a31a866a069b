//! Tests of tables of the smallest board.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use kit::Value;
use kit::search::{Control, Limits, Request, mate_distance};
use kit::tablebase::file::{BlockEntry, encode};
use kit::tablebase::{Counts, Indexing, TableInfo, Tablebase, Tabulated, open_file};
use kit::{Engine, Outcome, PositionHistory, Session};
use lab::parallel::Threads;
use lab::tablebase::{CheckedPositions, build, plan, verify};
use laws::check_indexing;
use laws::testing::full;
use susan::Susan;

use crate::{answers, at, game};

#[test]
fn numbers_agree_with_the_rules() {
    for limit in [1, 2, 6] {
        check_indexing(&game(&format!("Size=3 SlideLimit={limit}")), 1_500);
    }
}

#[test]
fn boards_that_are_turned_mirrored_or_recoloured_share_a_number() {
    let graph = game("Size=3").graph().expect("a board that has tables");
    let number = |position| {
        let history = at("Size=3", position);
        graph
            .index(history.position())
            .expect("a game that goes on")
    };
    let one = number("xo1/4/2x2/4/3 o 2");
    for same in [
        "1ox/4/2x2/4/3 o 2",
        "2x/3o/2x2/4/3 o 2",
        "3/4/2x2/4/1ox o 2",
        "ox1/4/2o2/4/3 x 2",
    ] {
        assert_eq!(number(same), one, "{same}");
    }
    for other in [
        "xo1/4/2x2/4/3 x 2",
        "xo1/4/2x2/4/3 o 3",
        "x1o/4/2x2/4/3 o 2",
    ] {
        assert_ne!(number(other), one, "{other}");
    }
}

/// Each board is counted once, and again for each consecutive slide.
#[test]
fn there_are_as_many_boards_as_counted_by_symmetries() {
    let one = plan(&game("Size=3 SlideLimit=1")).expect("a table");
    assert_eq!(one.n_indices, 24_527_538);
    let six = plan(&game("Size=3")).expect("a table");
    assert_eq!(six.n_indices, 6 * one.n_indices);
}

#[test]
fn boards_without_tables_are_refused() {
    let why = |options| plan(&game(options)).expect_err("no table").to_string();
    assert_eq!(why(""), "no table of Size=5: expected Size=3");
    assert_eq!(
        why("Size=3 SlideLimit=0"),
        "no table of SlideLimit=0: expected a limit from 1 to 12"
    );
}

struct File(PathBuf);

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Compares a table in which one slide draws with plain search and the rules. It takes a minute to build, so the test is
/// part of the full suite only; the tests of the builder compare small tables.
#[test]
fn a_table_agrees_with_plain_search() {
    if !full() {
        return;
    }
    let game = game("Size=3 SlideLimit=1");
    let path = std::env::temp_dir().join(format!("linesman-susan-{}.table", std::process::id()));
    let file = File(path);
    let _ = fs::remove_file(&file.0);
    let stop = AtomicBool::new(false);
    let threads = Threads {
        count: 2,
        stop: &stop,
    };
    build(&game, &file.0, threads, &mut |_| {}).expect("a table");
    let graph = game.graph().expect("a indexing");
    let sample = CheckedPositions::Random { n: 1_000, seed: 7 };
    let identity = graph.identity();
    let opened = open_file(&file.0, &identity).expect("a sound file");
    verify(&game, &graph, &opened, sample, threads, &mut |_, _| {}).expect("right values");
    let start = PositionHistory::start(game.clone());
    let table = Tablebase::of_board(Susan::erased(&start), &file.0).expect("a sound file");
    let table = table.expect("a table of this board");
    let mut n_decided = 0;
    for seed in 0..300 {
        let history = late_game(&game, seed);
        let erased = Susan::erased(&history);
        let value = table.value(erased).expect("a sound file");
        let value = value.expect("a game that goes on");
        assert_eq!(value, searched(&history), "{history:?}");
        let request = Request::new(erased.moves(), Limits::default());
        let answer = table
            .answer(erased, &request, &Control::default())
            .expect("no history")
            .expect("a sound file");
        let plies = match value {
            Value::Draw => None,
            Value::Win(plies) => Some(plies as i32),
            Value::Loss(plies) => Some(-(plies as i32)),
        };
        assert_eq!(mate_distance(answer.lines[0].score), plies, "{history:?}");
        n_decided += usize::from(plies.is_some());
    }
    assert!(n_decided > 50, "{n_decided}");
}

/// A random game with many stones, whose tree is small.
fn late_game(game: &Susan, seed: u64) -> PositionHistory<Susan> {
    (seed << 32..)
        .find_map(|seed| {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut history = PositionHistory::start(game.clone());
            while history.outcome().is_none() && history.ply() < 10 {
                let mv = *rng.choice(&history.moves()).expect("a move");
                if mv.from().is_none() {
                    history.play(mv);
                }
            }
            history.outcome().is_none().then_some(history)
        })
        .expect("some game lasts so long")
}

/// The value by searching every line to its end: a slide draws, so a line has at most as many plies as there are empty
/// cells.
fn searched(history: &PositionHistory<Susan>) -> Value {
    match solve(&mut history.clone()) {
        0 => Value::Draw,
        score if score > 0 => Value::Win((1_000 - score) as u32),
        score => Value::Loss((1_000 + score) as u32),
    }
}

fn solve(history: &mut PositionHistory<Susan>) -> i32 {
    let side = history.side();
    match history.outcome() {
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Win(winner)) => return if winner == side { 1_000 } else { -1_000 },
        None => {}
    }
    let mut best = i32::MIN;
    for mv in history.moves() {
        history.play(mv);
        let score = -solve(history);
        best = best.max(score - score.signum());
        history.undo();
    }
    best
}

/// Writes a table without values, which opens but cannot be probed.
fn write_empty_table(path: &Path) {
    let graph = game("Size=3 SlideLimit=1").graph().expect("an indexing");
    let identity = graph.identity();
    let n_blocks = identity.n_blocks() as usize;
    let info = TableInfo {
        identity,
        counts: Counts::default(),
        longest_win: None,
        start: Value::Draw,
        n_bytes: 0,
    };
    let bytes = encode(&info, &vec![BlockEntry::default(); n_blocks]);
    fs::write(path, bytes).expect("a file");
}

/// A session says once which table it uses, and a path that is refused does not close it.
#[test]
fn the_table_in_use_is_reported_and_kept() {
    let folder = std::env::temp_dir().join(format!("susan-tables-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let shown = folder.display();
    write_empty_table(&folder.join("any"));
    let mut session = Session::new(susan::GAME);
    let path = format!("setoption name TablePath value {shown}");
    for line in [path.as_str(), "setoption name Size value 3"] {
        assert!(answers(&mut session, line).is_empty(), "{line}");
    }
    let none = format!(
        "info string TablePath: no table: none of the 1 tables in {shown} is one of susan Size=3 SlideLimit=6"
    );
    assert_eq!(answers(&mut session, "position startpos"), [none]);
    assert!(answers(&mut session, "position startpos").is_empty());
    answers(&mut session, "setoption name SlideLimit value 1");
    let found = format!("info string TablePath: table {shown}/any: susan Size=3 SlideLimit=1");
    assert_eq!(answers(&mut session, "position startpos"), [found]);
    let refused = answers(&mut session, "setoption name TablePath value /no/file");
    assert!(
        refused[0].starts_with("info error TablePath: /no/file: "),
        "{refused:?}"
    );
    let searched = answers(&mut session, "go depth 1");
    assert!(
        searched[0].ends_with("; searching without it"),
        "{searched:?}"
    );
    fs::remove_dir_all(&folder).expect("it is there");
}
