use std::collections::HashSet;

use kit::game_entry::PositionLine;
use kit::{DynHistory, GameEntry, Options};

use super::super::notation::{EMPTY, Fen, Move};
use super::{BLACK_HOLDINGS, Layout, too_large};
use crate::points::Point;

/// Every game and size that fits, with its options.
const BOARDS: [(&GameEntry, &str); 13] = [
    (&entropy::GAME, ""),
    (&entropy::GAME, "Goal=apart"),
    (&gobblet::GAME, "Size=3"),
    (&gobblet::GAME, "Size=4"),
    (&susan::GAME, "Size=3"),
    (&susan::GAME, "Size=4"),
    (&susan::GAME, "Size=5"),
    (&susan::GAME, "Size=6"),
    (&projex::GAME, "Size=3"),
    (&projex::GAME, "Size=4 Swap=false"),
    (&projex::GAME, "Size=5"),
    (&projex::GAME, "Size=6"),
    (&projex::GAME, "Size=7"),
];

fn open(entry: &GameEntry, words: &str, fen: Option<&str>) -> Box<dyn DynHistory> {
    let mut options = Options::new(entry.source.options());
    for word in words.split_whitespace() {
        let (name, value) = word.split_once('=').expect("Name=value");
        options.set(name, Some(value)).expect("a valid option");
    }
    let line = PositionLine { fen, moves: &[] };
    entry
        .source
        .open(&options, line)
        .unwrap_or_else(|why| panic!("{fen:?}: {why}"))
}

fn start(entry: &GameEntry, words: &str) -> (Layout, Box<dyn DynHistory>) {
    let history = open(entry, words, None);
    let layout = Layout::new(entry.name, &history.fen()).expect("it fits");
    (layout, history)
}

/// Applies a move as XBoard does, without rules.
fn apply(fen: &Fen, mv: Move) -> Fen {
    let mut fen = fen.clone();
    let is_white = fen.side == kit::Side::P1;
    let n_ranks = fen.ranks.len();
    let mut put = |square: Point, content: char| {
        let row = n_ranks - 1 - usize::from(square.row);
        std::mem::replace(&mut fen.ranks[row][usize::from(square.column)], content)
    };
    match mv {
        Move::Pass => {}
        Move::Step { from, to } => {
            let piece = put(from, EMPTY);
            assert!(piece.is_alphabetic() && piece.is_uppercase() == is_white);
            assert_eq!(put(to, piece), EMPTY, "a capture");
        }
        Move::Drop { piece, to } => {
            let piece = if is_white {
                piece
            } else {
                piece.to_ascii_lowercase()
            };
            assert_eq!(put(to, piece), EMPTY, "a capture");
            let held = fen.holdings.as_mut().expect("holdings");
            let at = held.find(piece).expect("a piece in the holdings");
            held.remove(at);
        }
    }
    fen.side = fen.side.other();
    fen
}

#[test]
fn each_legal_code_is_one_move_of_xboard_along_random_games() {
    for (entry, words) in BOARDS {
        for seed in 0..6 {
            let mut random = fastrand::Rng::with_seed(seed);
            let (layout, mut history) = start(entry, words);
            for ply in 0..120 {
                let at = || format!("{} {words} seed {seed} ply {ply}", entry.name);
                let position = history.fen();
                let codes = history.moves();
                let moves: Vec<Move> = codes
                    .iter()
                    .map(|code| layout.mv(&position, code))
                    .collect();
                let distinct: HashSet<Move> = moves.iter().copied().collect();
                assert_eq!(distinct.len(), moves.len(), "{}", at());
                let written: HashSet<String> =
                    moves.iter().map(|mv| layout.write_move(*mv)).collect();
                assert_eq!(written.len(), moves.len(), "{}", at());
                let swap = codes.iter().position(|code| code == "swap");
                let any = (!codes.is_empty()).then(|| random.usize(..codes.len()));
                let Some(chosen) = swap.or(any) else {
                    break;
                };
                let before = layout.to_xboard(&position);
                let after = apply(&before, moves[chosen]);
                history.play(&codes[chosen]).expect("a legal move");
                let expected = layout.to_xboard(&history.fen());
                // After a swap, old and new stones of a colour have the same picture and other letters.
                assert_eq!(
                    layout.to_game(&after),
                    layout.to_game(&expected),
                    "{}",
                    at()
                );
                if entry.name == "gobblet" {
                    let held = [after, expected].map(|fen| sorted(fen.holdings));
                    assert_eq!(held[0], held[1], "{}", at());
                }
            }
        }
    }
}

fn sorted(held: Option<String>) -> Option<String> {
    let mut letters: Vec<char> = held?.chars().collect();
    letters.sort_unstable();
    Some(letters.into_iter().collect())
}

#[test]
fn positions_read_back_along_random_games() {
    for (entry, words) in BOARDS {
        let mut random = fastrand::Rng::with_seed(1);
        let (layout, mut history) = start(entry, words);
        for _ in 0..60 {
            let position = history.fen();
            let text = layout.to_xboard(&position).to_string();
            let fen = Fen::parse(&text).expect("it was written");
            let back = layout.to_game(&fen).expect("it is on the board");
            let reopened = open(entry, words, Some(&back));
            assert_eq!(layout.to_xboard(&reopened.fen()).to_string(), text);
            let counters = |fen: &str| fen.rsplit_once(' ').map(|(fen, _)| fen.to_owned());
            assert_eq!(
                counters(&back),
                counters(&position),
                "{} {words}",
                entry.name
            );
            let codes = history.moves();
            if codes.is_empty() {
                break;
            }
            let code = &codes[random.usize(..codes.len())];
            history.play(code).expect("a legal move");
        }
    }
}

#[test]
fn setups_are_as_xboard_reads_them() {
    for (entry, words, setup) in [
        (
            &entropy::GAME,
            "",
            "setup (.S.....s....) 5x5+0_fairy sssss/s3s/5/S3S/SSSSS w - - 0 1",
        ),
        (
            &gobblet::GAME,
            "Size=3",
            "setup (.ABC...abc..) 11x3+3_fairy 3*3*3/3*3*3/3*3*3[AABBCCaabbcc] w - - 0 1",
        ),
        (
            &gobblet::GAME,
            "Size=4",
            "setup (.ABCD..abcd.) 11x11+4_fairy 2*2*2*2/2*2*2*2/***********/2*2*2*2/2*2*2*2/***********/\
             2*2*2*2/2*2*2*2/***********/2*2*2*2/2*2*2*2[AAABBBCCCDDDaaabbbcccddd] w - - 0 1",
        ),
    ] {
        let (layout, history) = start(entry, words);
        assert_eq!(layout.setup(&history.fen()), setup);
    }
    for (entry, words, beginning) in [
        (
            &susan::GAME,
            "Size=5",
            "setup (.S.....s....) 9x9+1_fairy ****5/***6/**7/*8/9/8*/7**/6***/5****[SSS",
        ),
        (
            &projex::GAME,
            "Size=4",
            "setup (.ST....st...) 6x6+2_fairy ***3/**4/*5/6/5*/4**[SSS",
        ),
    ] {
        let (layout, history) = start(entry, words);
        let setup = layout.setup(&history.fen());
        assert!(setup.starts_with(beginning), "{setup}");
    }
}

#[test]
fn setups_fit_the_buffer_in_which_xboard_writes_positions() {
    for (entry, words) in BOARDS {
        let (layout, history) = start(entry, words);
        let setup = layout.setup(&history.fen());
        // The worst case is a piece on every second square, written as two characters each.
        let n_squares = usize::from(layout.n_files) * usize::from(layout.n_ranks);
        assert!(setup.len() + n_squares < 512, "{} {words}", entry.name);
        assert!(layout.n_files + 4 <= 16 && layout.n_ranks <= 15);
    }
}

#[test]
fn neighbours_on_a_sheared_board_are_neighbours() {
    let (layout, mut history) = start(&susan::GAME, "Size=5");
    history.play("e5").expect("the middle");
    history.play("a1").expect("a corner");
    let position = history.fen();
    let steps = history
        .moves()
        .into_iter()
        .filter(|code| code.starts_with("e5->"));
    let mut ways: Vec<(i8, i8)> = steps
        .map(|code| match layout.mv(&position, &code) {
            Move::Step { from, to } => (
                to.column as i8 - from.column as i8,
                to.row as i8 - from.row as i8,
            ),
            _ => panic!("{code} is a step"),
        })
        .collect();
    ways.sort_unstable();
    assert_eq!(ways, [(-1, -1), (-1, 0), (0, -1), (0, 1), (1, 0), (1, 1)]);
}

#[test]
fn targets_are_yellow() {
    let (layout, history) = start(&entropy::GAME, "");
    let at = |file, rank| Point {
        column: file,
        row: rank,
    };
    let (position, codes) = (history.fen(), history.moves());
    let marks = layout.highlight(&position, &codes, at(0, 1));
    assert_eq!(marks.as_deref(), Some("5/2Y2/YY3/1YYY1/5"));
    assert_eq!(layout.highlight(&position, &codes, at(6, 0)), None);
}

#[test]
fn targets_of_a_held_piece_are_yellow() {
    let at = |file, rank| Point {
        column: file,
        row: rank,
    };
    let (layout, mut history) = start(&gobblet::GAME, "Size=3");
    let marks = |history: &dyn DynHistory, square| {
        layout.highlight(&history.fen(), &history.moves(), square)
    };
    // White's holdings are two files to the right of the board, the smallest piece at the bottom.
    let smallest = "Y10/Y10/Y10".replace("Y10", "Y3Y3Y2");
    assert_eq!(marks(&*history, at(12, 0)), Some(smallest));
    history.play("3@b2").expect("a placement");
    let largest = "2Y3Y3Y/2Y7Y/2Y3Y3Y".to_owned();
    assert_eq!(marks(&*history, at(BLACK_HOLDINGS, 0)), Some(largest));
    assert_eq!(marks(&*history, at(12, 0)), None, "not the mover's");
}

#[test]
fn a_gobblet_move_begins_at_the_square_of_the_visible_piece() {
    let (layout, mut history) = start(&gobblet::GAME, "Size=3");
    for code in ["1@b2", "2@b2", "1@a1"] {
        history.play(code).expect("legal");
    }
    let mv = layout.mv(&history.fen(), "b2-c3");
    assert_eq!(layout.write_move(mv), "f2j3");
}

#[test]
fn covered_pieces_are_red() {
    let (layout, mut history) = start(&gobblet::GAME, "Size=3");
    history.play("1@b2").expect("legal");
    assert_eq!(layout.mark_covered(&history.fen()), None);
    history.play("3@b2").expect("legal");
    let marks = layout.mark_covered(&history.fen());
    assert_eq!(marks.as_deref(), Some("11/4r6/11"));
}

#[test]
fn what_does_not_fit_is_told() {
    let unfit = |entry: &GameEntry, words: &str| {
        let history = open(entry, words, None);
        Layout::new(entry.name, &history.fen())
    };
    for (entry, words, max_size) in [
        (&susan::GAME, "Size=7", 6),
        (&susan::GAME, "Size=8", 6),
        (&projex::GAME, "Size=8", 7),
        (&projex::GAME, "Size=14", 7),
    ] {
        let game = entry.name;
        assert_eq!(unfit(entry, words), Err(too_large(game, max_size)));
    }
    let error = Layout::new("graph-hockey", "4x8 -").unwrap_err();
    assert!(error.contains("linesman gui graph-hockey"), "{error}");
}

#[test]
fn positions_that_are_not_on_the_board_are_refused() {
    let (susan, _) = start(&susan::GAME, "Size=3");
    let (gobblet, _) = start(&gobblet::GAME, "Size=3");
    for (layout, fen, part) in [
        (&susan, "**3/*4/5/4*/3** w", ""),
        (
            &susan,
            "**3/*4/5/4*/4* w",
            "the empty board **3/*4/5/4*/3**",
        ),
        (
            &susan,
            "**3/*4/5/4*/*3* w",
            "the empty board **3/*4/5/4*/3**",
        ),
        (&susan, "**3/*4/5/4* w", "the empty board **3/*4/5/4*/3**"),
        (&susan, "**3/*4/5/4*/K2** w", "K2** does not fit"),
        (&gobblet, "3*3*3/3*3*3/3*3*3 b", ""),
        (
            &gobblet,
            "B2*3*3/3*3*3/3*3*3 b",
            "in this order for the pieces ABC",
        ),
        (
            &gobblet,
            "3*7/3*3*3/3*3*3 b",
            "does not fit the empty board 3*3*3/3*3*3/3*3*3",
        ),
        (
            &gobblet,
            "*2*3*3/3*3*3/3*3*3 b",
            "does not fit the empty board 3*3*3",
        ),
    ] {
        let fen = Fen::parse(fen).expect("readable");
        match layout.to_game(&fen) {
            Ok(position) => assert!(part.is_empty(), "{position}"),
            Err(why) => assert!(!part.is_empty() && why.contains(part), "{why}"),
        }
    }
}

#[test]
fn squares_read_back_and_ten_ranks_are_numbered_from_zero() {
    for (words, column, row, text) in [
        ("Size=5", 0, 0, "a1"),
        ("Size=6", 0, 0, "a0"),
        ("Size=6", 9, 9, "j9"),
        ("Size=7", 11, 11, "l12"),
        // The holdings are beyond both ends of the board.
        ("Size=5", 9, 0, "j1"),
        ("Size=5", BLACK_HOLDINGS, 7, "_8"),
    ] {
        let (layout, _) = start(&projex::GAME, words);
        let square = Point { column, row };
        assert_eq!(layout.write_square(square), text);
        assert_eq!(layout.read_square(text), Some(square));
    }
    let (layout, _) = start(&projex::GAME, "Size=5");
    for text in ["", "a", "a0", "a9", "_", "A1", "\u{e9}1"] {
        assert_eq!(layout.read_square(text), None, "{text:?}");
    }
}
