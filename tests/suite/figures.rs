//! Pasted positions: the figures in the games' documents, the boards that each game draws, and the moves below them.

use std::fs;
use std::path::Path;

use draw::{Room, View};
use kit::DynHistory;
use record::game_spec::GameSpec;
use record::registry::Rules;
use table::paste::{PasteReader, Pasted, recognise};

/// The text of a file in `tests/data/figures`.
pub(crate) fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/figures");
    fs::read_to_string(folder.join(format!("{name}.txt"))).expect("a file")
}

fn rules(game: &str) -> Rules {
    let spec = GameSpec::parse(game).expect("a game");
    let rules = linesman::GAMES.rules(&spec).expect("a game");
    rules.expect("a game with rules")
}

fn reader(game: &str) -> PasteReader {
    let rules = rules(game);
    PasteReader::new(&rules)
}

fn read(game: &str, text: &str) -> Result<Pasted, String> {
    let mut reader = reader(game);
    reader.push_text(text);
    reader.read().map_err(|why| why.to_string())
}

/// The possible games of a text, each as its position and moves, and the lines that were not read.
#[track_caller]
fn games(game: &str, text: &str) -> (Vec<String>, Vec<String>) {
    let Pasted { candidates, unread } = read(game, text).expect("a game");
    let shown = candidates
        .iter()
        .map(|one| format!("{}: {}", one.fen, one.moves.join(" ")));
    (shown.collect(), unread)
}

fn open(game: &str) -> Box<dyn DynHistory> {
    rules(game).start()
}

fn after(game: &str, moves: &[&str]) -> Box<dyn DynHistory> {
    let mut board = open(game);
    for code in moves {
        board.play(code).expect("a legal move");
    }
    board
}

/// Each figure: its text, its game, and the possible position strings.
pub(crate) const FIGURES: &[(&str, &str, &[&str])] = &[
    ("entropy-1", "entropy", &["sssss/s3s/5/o3o/ooooo o 0"]),
    (
        "entropy-2",
        "entropy",
        &["s1o1s/o3o/ossos/s4/2oos o 0", "s1o1s/o3o/ossos/s4/2oos s 0"],
    ),
    (
        "entropy-3",
        "entropy",
        &["s1o1o/o1sos/s4/oosso/s4 o 0", "s1o1o/o1sos/s4/oosso/s4 s 0"],
    ),
    (
        "entropy-puzzle",
        "entropy",
        &[
            "s1oso/o3s/o3o/1o2s/sss1o o 0",
            "s1oso/o3s/o3o/1o2s/sss1o s 0",
        ],
    ),
    (
        "entropy-4",
        "entropy",
        &[
            "sosos/1s3/o1o1o/2s2/soso1 o 0",
            "sosos/1s3/o1o1o/2s2/soso1 s 0",
        ],
    ),
    (
        "entropy-5",
        "entropy",
        &["sosos/4o/o1s1o/5/sosos o 0", "sosos/4o/o1s1o/5/sosos s 0"],
    ),
    ("susan-mail", "susan", &["5/6/7/8/9/8/7/6/5 x 0"]),
];

fn fens(game: &str, text: &str) -> Vec<String> {
    let pasted = read(game, text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(pasted.unread, [""; 0], "{text}");
    let candidates = pasted.candidates.into_iter();
    candidates.map(|candidate| candidate.fen).collect()
}

#[test]
fn every_figure_survives_what_mail_does_to_it() {
    for (name, game, expected) in FIGURES {
        let text = text(name);
        let quoted: String = text.lines().map(|line| format!("> > {line}\r\n")).collect();
        let spaced: String = text.lines().map(|line| format!("{line}\n\n")).collect();
        let plain = text.replace('\u{a0}', " ");
        for text in [text, quoted, spaced, plain] {
            assert_eq!(fens(game, &text), *expected, "{name}");
        }
    }
}

/// The position is complete with its last row, and not earlier.
#[test]
fn a_board_ends_with_its_last_row() {
    let mut reader = reader("entropy");
    for row in ["S S S S S", "S . . . S", "", ". . . . .", "O . . . O"] {
        reader.push(row);
        assert!(!reader.is_complete());
    }
    let why = reader.read().expect_err("a part of a board").to_string();
    assert!(why.starts_with("the board ends: expected row 1"), "{why}");
    reader.push("O O O O O");
    assert!(reader.is_complete());
}

#[test]
fn what_is_no_position_is_explained() {
    for (game, text, part) in [
        (
            "entropy",
            "S S S S\nS . . . S\n",
            "expected row 4 of the board",
        ),
        (
            "entropy",
            "hello\n",
            "Paste the rows as `board` prints them, or the line `fen: ...`",
        ),
        (
            "susan",
            "a . . .\nb . . .\n",
            "\"b . . .\": expected row b of the board, with 4 cells",
        ),
        ("gobblet", "", "no position of gobblet in it"),
        (
            "projex",
            "1 . . .\n2 . . . .\n",
            "the board ends: expected row 3",
        ),
        ("entropy", "fen: 5/5 o 0\n", "2 ranks"),
        (
            "graph-hockey",
            "----------\n|--*  |\n",
            "Paste the line `fen: ...` that `board` prints, or the numbered moves",
        ),
    ] {
        let why = read(game, text).expect_err(text);
        assert!(why.contains(part), "{game}: {why}");
    }
}

/// Each position of random games, on boards of several sizes, in each style that shows the position.
#[test]
fn every_board_that_is_drawn_is_read_back() {
    let mut rng = fastrand::Rng::with_seed(7);
    for (game, style) in [
        ("susan:Size=3", ""),
        ("susan", ""),
        ("susan:Size=8", ""),
        ("projex:Size=3", ""),
        ("projex:Size=6", ""),
        ("projex:Size=14", ""),
        ("projex:Size=3", "farside"),
        ("projex:Size=4", "farside"),
        ("projex:Size=6", "farside"),
        ("projex:Size=14", "farside"),
        ("gobblet", "peek"),
        ("gobblet:Size=4", "peek"),
        ("entropy", ""),
    ] {
        let mut board = open(game);
        while board.outcome().is_none() && board.ply() < 40 {
            for (is_ascii, room) in [(false, None), (true, None), (false, Some(Room::UNLIMITED))] {
                let view = View {
                    is_ascii,
                    room,
                    ..View::styled(style)
                };
                let drawn = board.draw(view);
                assert_eq!(fens(game, &drawn), [board.fen()], "{drawn}");
            }
            let code = rng.choice(board.moves()).expect("a legal move");
            board.play(&code).expect("a legal move");
        }
    }
}

/// A picture of Graph Hockey shows lines and not moves.
#[test]
fn graph_hockey_is_pasted_as_its_string_or_its_moves() {
    let board = after("graph-hockey", &["G", "H", "J"]);
    let drawn = board.draw(View::default());
    let why = read("graph-hockey", &drawn).expect_err("a picture");
    assert!(why.contains("does not show its moves"), "{why}");
    let with_fen = format!("fen: {}\n4. G\n", board.fen());
    assert_eq!(games("graph-hockey", &with_fen).0, ["4x8 GHJ: G"]);
    assert_eq!(games("graph-hockey", "1. G H\n2. J\n").0, ["4x8 -: G H J"]);
}

#[test]
fn the_moves_below_a_board_follow_it() {
    let figure = text("entropy-4");
    let expected = "sosos/1s3/o1o1o/2s2/soso1 o 0: pass b4-b3 pass c2-e2";
    for moves in [
        "1. pass, b4-b3; 2. pass, c2-e2",
        "7. pass\n8. b4-b3\n9. pass\n10. c2-e2",
    ] {
        let (found, unread) = games("entropy", &format!("{figure}\n{moves}\n"));
        assert_eq!(
            (found, unread.len()),
            (vec![expected.to_owned()], 0),
            "{moves}"
        );
    }
    // The second player's moves alone.
    let (found, _) = games("entropy", &format!("{figure}\n1... b4-b3\n"));
    assert_eq!(found, ["sosos/1s3/o1o1o/2s2/soso1 s 0: b4-b3"]);
    let why = read("entropy", &format!("{figure}\n1. pass\n3. b4-b3\n")).expect_err("a gap");
    assert!(why.contains("move 3 is too early"), "{why}");
    let why = read("susan:Size=3", "1. a1\n2. a1\n").expect_err("an illegal move");
    assert!(why.contains("a1"), "{why}");
}

/// A letter of a club shows the board above the moves that lead to it.
#[test]
fn moves_that_lead_to_a_board_are_its_game() {
    let board = after("susan:Size=3", &["a1", "b2"]);
    let text = format!(
        "{}\n\n1. a1\n2. b2\n\nMove 3 is for ann.\n",
        board.draw(View::default())
    );
    let (found, unread) = games("susan:Size=3", &text);
    assert_eq!(found, ["3/4/5/4/3 x 0: a1 b2"]);
    assert_eq!(unread, ["line 14: Move 3 is for ann."]);
}

#[test]
fn what_is_not_understood_is_named() {
    let figure = text("entropy-5");
    let pasted = read(
        "entropy",
        &format!("Hello!\n{figure}\nFig. 5\n27. The end.\n"),
    );
    let pasted = pasted.expect("a board");
    assert_eq!(pasted.unread.len(), 3, "{pasted:?}");
    let note = pasted.unread_note().expect("a note");
    assert!(
        note.starts_with("not read: line 1: Hello!, line 12: Fig. 5"),
        "{note}"
    );
    let why = pasted.only().expect_err("two sides");
    assert_eq!(
        why,
        "the board does not say who is to move. Add the line `O to move` or `S to move` below it"
    );
    let told = read("entropy", &format!("{figure}\nS to move after a pass\n"));
    assert_eq!(
        told.expect("a board").candidates[0].fen,
        "sosos/4o/o1s1o/5/sosos s 1"
    );
}

/// Moves that two games allow do not name a game.
#[test]
fn a_game_is_recognised_by_its_board_or_its_moves() {
    let game = |text: &str| recognise(linesman::GAMES, text).map(|rules| rules.spec().name);
    for (name, wanted, _) in FIGURES {
        assert_eq!(game(&text(name)).as_deref(), Ok(*wanted), "{name}");
    }
    assert_eq!(game("1. e5\n2. e4\n3. e5->e6"), Ok("susan".to_owned()));
    assert_eq!(game("1. G 2. H 3. J"), Ok("graph-hockey".to_owned()));
    let why = "the text fits susan, projex. Choose the game";
    assert_eq!(game("1. e5\n2. e4"), Err(why.to_owned()));
}

/// Garbage is rejected quickly and never panics.
#[test]
fn rubbish_is_no_position() {
    let mut rng = fastrand::Rng::with_seed(1);
    let signs: Vec<char> = "SOsoxX.|-+_*ry1234<>[]()'⡏⠉⡇⠁ \t\u{a0}abcde\u{0}"
        .chars()
        .collect();
    for game in ["entropy", "susan", "projex", "gobblet", "graph-hockey"] {
        let mut reader = reader(game);
        for _ in 0..2000 {
            let n_signs = rng.usize(..90);
            let line: String = (0..n_signs).filter_map(|_| rng.choice(&signs)).collect();
            reader.push(&line);
        }
        let _ = reader.read();
    }
}
