//! Files of tables: stopped, damaged, foreign, written by two builds at once.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use kit::dyn_history::erased;
use kit::tablebase::{TableError, Tablebase};
use lab::parallel::Threads;
use lab::tablebase::{BuildError, CheckedPositions, VerifyError, build, plan, verify};
use laws::testing::full;

use crate::graph::{Graph, Shape};
use crate::tables::{Folder, Places, build_at, graphs, open, two_threads, verified};

/// A graph with more indices than a thread takes at a time, so that a build can be stopped within a stage.
fn large() -> Graph {
    Graph::new(Shape {
        n_vertices: 20_000,
        max_moves: 3,
        end_rate: 8,
        ..Shape::small(1)
    })
}

/// The same kind of graph with counted quiet moves, which is solved by layers.
fn large_layers() -> Graph {
    Graph::new(Shape {
        n_vertices: 10_000,
        quiet_limit: Some(3),
        ..large().shape
    })
}

/// A graph that is solved by sections.
fn large_sections() -> Graph {
    Graph::new(Shape {
        section_size: Some(16),
        end_rate: 60,
        ..large().shape
    })
}

/// A distance can take minutes.
#[test]
fn a_build_stops_within_a_distance() {
    let folder = Folder::new("stops-within");
    let stop = AtomicBool::new(false);
    let mut n_after = 0;
    let game = large_sections();
    let threads = two_threads(&stop);
    let built = build(&game, &folder.file("table"), threads, &mut |now| {
        n_after += usize::from(stop.load(Relaxed));
        let is_within = !now.stage.starts_with("0 plies") && now.done < now.of;
        stop.fetch_or(is_within, Relaxed);
    });
    assert!(matches!(built, Err(BuildError::Stopped)), "{built:?}");
    assert_eq!(n_after, 0, "it went on");
}

#[test]
fn a_verification_that_is_stopped_ends() {
    let folder = Folder::new("verify-stops");
    let (game, path) = (large(), folder.file("table"));
    build_at(&game, &path).expect("a table");
    let table = open(&game, &path).expect("a table");
    let stop = AtomicBool::new(false);
    let sample = CheckedPositions::Random {
        n: 100_000,
        seed: 1,
    };
    let mut n_told = 0;
    let verified = verify(
        &game,
        &Places::new(&game),
        table.file(),
        sample,
        Threads {
            count: 1,
            stop: &stop,
        },
        &mut |_, _| {
            n_told += 1;
            stop.fetch_or(n_told == 10, Relaxed);
        },
    );
    assert_eq!(verified.expect("right values"), 10);
    assert!(n_told <= 11, "it went on to {n_told}");
}

#[test]
fn a_build_that_is_stopped_leaves_nothing() {
    for game in [large(), large_layers(), large_sections()] {
        let folder = Folder::new("stops");
        let path = folder.file("table");
        let mut n_stops = 0;
        for n_calls in (0..).map(|n: u32| n.pow(if full() { 2 } else { 3 })) {
            let stop = AtomicBool::new(n_calls == 0);
            let mut n_left: u32 = n_calls;
            let built = build(&game, &path, two_threads(&stop), &mut |_| {
                n_left = n_left.saturating_sub(1);
                stop.fetch_or(n_left == 0, Relaxed);
            });
            match built {
                Ok(_) => break,
                Err(error) => assert!(matches!(error, BuildError::Stopped), "{error}"),
            }
            assert!(folder.names().is_empty(), "{:?}", folder.names());
            n_stops += 1;
        }
        assert!(n_stops > 1, "{n_stops}");
        let table = open(&game, &path).expect("a table");
        verified(&game, &table, CheckedPositions::All).expect("right values");
    }
}

#[test]
fn a_second_build_of_the_same_file_is_refused() {
    let folder = Folder::new("two-builds");
    let path = folder.file("table");
    let (mut n_calls, mut n_refused) = (0_u32, 0);
    let stop = AtomicBool::new(false);
    let built = build(&large(), &path, two_threads(&stop), &mut |_| {
        n_calls += 1;
        if full() || n_calls.is_power_of_two() {
            let second = build_at(&large(), &path);
            assert!(matches!(second, Err(BuildError::Locked(_))), "{second:?}");
            n_refused += 1;
        }
    });
    built.expect("a table");
    assert!(n_refused > 0);
    let third = build_at(&large(), &path);
    assert!(matches!(third, Err(BuildError::Exists(_))), "{third:?}");
    assert_eq!(folder.names(), ["table"]);
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_that_names_it() {
    let folder = Folder::new("no-folder");
    let error = build_at(&large(), &folder.file("none/table")).expect_err("no folder");
    assert!(error.to_string().contains("none/table"), "{error}");
}

#[test]
fn a_game_without_a_table_says_why() {
    let mut game = Graph::new(Shape::small(0));
    game.shape.max_moves = 0;
    let error = plan(&game).expect_err("no plan").to_string();
    assert_eq!(error, "no moves: expected some");
}

/// Verifies a whole file. Returns the first read error.
fn reads(game: &Graph, path: &std::path::Path) -> Result<(), TableError> {
    let table = open(game, path)?;
    match verified(game, &table, CheckedPositions::All) {
        Ok(_) => Ok(()),
        Err(VerifyError::Table(error)) => Err(error),
        Err(error) => panic!("damage was read as a value: {error}"),
    }
}

#[test]
fn any_changed_or_missing_byte_is_noticed() {
    let folder = Folder::new("damage");
    let game = graphs(2).last().expect("a graph");
    let path = folder.file("table");
    build_at(&game, &path).expect("a table");
    let whole = fs::read(&path).expect("a file");
    reads(&game, &path).expect("a sound table");
    let broken = folder.file("broken");
    let check = |bytes: &[u8], at: String| {
        fs::write(&broken, bytes).expect("a file");
        let error = reads(&game, &broken).expect_err(&at).to_string();
        assert!(error.contains("broken"), "{at}: {error}");
    };
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x10;
        check(&bytes, format!("byte {place}"));
        check(&whole[..place], format!("{place} bytes"));
    }
    let mut longer = whole;
    longer.push(0);
    check(&longer, "a byte more".to_owned());
}

#[test]
fn a_table_of_another_board_or_no_table_is_refused() {
    let folder = Folder::new("foreign");
    let path = folder.file("table");
    let game = graphs(1).last().expect("a graph");
    build_at(&game, &path).expect("a table");
    let other = graphs(3).last().expect("a graph");
    let error = open(&other, &path).expect_err("another board").to_string();
    assert!(
        error.ends_with("table: a table of graph Seed=0: expected one of graph Seed=2"),
        "{error}"
    );
    fs::write(&path, "not a table, but longer than its first bytes").expect("a file");
    let error = open(&game, &path).expect_err("no table").to_string();
    assert!(
        error.contains("not a table: linesman-lab table build"),
        "{error}"
    );
}

/// The headers of the files decide, not their names.
#[test]
fn a_table_is_found_in_a_folder_under_any_name() {
    let folder = Folder::new("folder");
    let game = graphs(1).last().expect("a graph");
    let other = graphs(3).last().expect("a graph");
    build_at(&other, &folder.file("a")).expect("a table");
    fs::write(folder.file("b"), "no table").expect("a file");
    let path = folder.file("");
    let find = || Tablebase::open(erased(&game, Box::new(Places::new(&game))), &path);
    let missing = find().expect_err("no table of this graph");
    let TableError::Absent { n_tables: 1, .. } = missing else {
        panic!("{missing:?}")
    };
    build_at(&game, &folder.file("c")).expect("a table");
    let found = find().expect("a table of this graph");
    assert_eq!(found.file().path(), folder.file("c"));
}

#[test]
fn a_pipe_in_place_of_a_table_is_refused() {
    let folder = Folder::new("pipe");
    let path = folder.file("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("mkfifo").success());
    let game = graphs(1).last().expect("a graph");
    let why = open(&game, &path).expect_err("a pipe").to_string();
    assert!(
        why.ends_with("pipe: not a regular file: name a file on disk"),
        "{why}"
    );
}

/// Uses a table with the values of another graph.
#[test]
fn verification_finds_wrong_values() {
    let folder = Folder::new("wrong");
    let path = folder.file("table");
    let game = graphs(2).last().expect("a graph");
    build_at(&game, &path).expect("a table");
    let other = Graph::new(Shape {
        end_rate: game.shape.end_rate + 3,
        ..game.shape
    });
    let table = open(&other, &path).expect("it has as many numbers");
    let random = CheckedPositions::Random { n: 500, seed: 1 };
    for sample in [CheckedPositions::All, random] {
        let found = verified(&other, &table, sample);
        assert!(matches!(found, Err(VerifyError::Wrong { .. })), "{found:?}");
    }
}

#[test]
fn sections_and_distances_give_the_same_values() {
    let folder = Folder::new("two-orders");
    let game = large_sections();
    let path = folder.file("sections");
    let info = build_at(&game, &path).expect("a table");
    let n_decided = info.counts.won + info.counts.lost;
    assert!(n_decided > 5_000, "{info:?}");
    let table = open(&game, &path).expect("a table");
    let plain = game.clone().without_sections();
    let path = folder.file("distances");
    build_at(&plain, &path).expect("a table");
    let other = open(&plain, &path).expect("a table");
    for number in 0..info.identity.n_indices {
        let place = table.position(number);
        if let Some(place) = place.filter(|place| place.outcome().is_none()) {
            let value = |table: &Tablebase| table.value(place.as_ref()).expect("sound");
            assert_eq!(value(&table), value(&other), "{}", place.fen());
        }
    }
}
