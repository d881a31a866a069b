//! The errors on the games' pages are those that the games report.
//!
//! The table below has rejected input for each game. Every error in the tables of the game's page must be among the
//! answers.

use std::fs;
use std::path::Path;

use kit::Options;
use kit::game_entry::PositionLine;
use linesman::GAMES;

/// Options as `Name=value`; a position string, a drawn board or `startpos`; moves. The last move is invalid unless the
/// position is.
type Case = (&'static str, &'static str, &'static str);

const GRAPH_HOCKEY: &[Case] = &[
    ("", "startpos", "x"),
    ("", "startpos", "gh"),
    ("", "startpos", "A"),
    ("", "4x8 TA", "J"),
    ("", "4x8 IGA", "V"),
    ("", "4x8 B", "R"),
    ("", "4x8 LLLIII", "I"),
    ("", "2x3 RRFRRHRUAF", "T"),
    ("", "4x8", ""),
    ("", "4 -", ""),
    ("", "13x8 -", ""),
    ("", "4x21 -", ""),
    ("", "4x8 g", ""),
    ("", "4x8 BR", ""),
    ("", "4x8 LLLIIRRIIG", ""),
    (
        "",
        "+-------+-------+-------|\n|       |  p2   |       |\n|  '    |       |       |\n|       |       |       |\n+-|     --------'       |\n|:o'':                  |\n|:   :     '            |\n'''''                  |\n|       +-------|       |\n|       |       |       |\n|  '    |       |       |\n|       | >p1<  |       |\n------------------------'",
        "",
    ),
    (
        "",
        "+-------+-------+-------|\n|       |  p2   |       |\n|  '    |       |       |\n|       |       |       |\n+-|     --------'       |\n|:o'':                  |\n|: * :     '            |\n'''''                  |",
        "",
    ),
    (
        "",
        "+-------+--------+-------|\n|       |   p2   |       |\n|  '    |        |       |\n|       |        |       |\n+-|     - -------'       |\n|:o'':                   |\n|: * :      '            |\n'''''                   |\n|       + -------|       |\n|       |        |       |\n|  '    |        |       |\n|       |  >p1<  |       |\n-------------------------'",
        "",
    ),
];

const GOBBLET: &[Case] = &[
    ("", "startpos", "b2"),
    ("", "startpos", "4@b2"),
    ("", "startpos", "3@d1"),
    ("", "startpos", "3@a1 3@a2 3@b1 3@b2 3@c1"),
    ("Size=4", "startpos", "2@a1"),
    ("", "startpos", "3@b2 3@b2"),
    ("", "startpos", "3@b2 2@b2"),
    ("Size=4", ".,.,.,./.,.,.,./.,r3,.,./r4,.,.,. r", "4@b2"),
    ("Size=4", ".,.,.,./.,.,.,./.,y3,.,./y4,.,.,. r", "4@b2"),
    ("", "startpos", "a1-b1"),
    ("", "startpos", "3@a1 a1-b1"),
    ("", "startpos", "3@a1 3@b1 a1-a1"),
    ("", "startpos", "3@a1 3@b2 a1-b2"),
    ("", "startpos", "2@a1 3@b2 a1-b2"),
    ("", ".,.,./.,.,./.,.,.", ""),
    ("", ".,.,./.,.,. r", ""),
    ("", ".,.,./.,.,.,./.,.,. r", ""),
    ("", ".,.,./.,x,./.,.,. r", ""),
    ("", ".,.,./.,r3y1,./.,.,. r", ""),
    ("", ".,.,./r1,r1,r1/.,.,. r", ""),
    ("", "y2,y2,y3,y4/.,.,.,./.,.,.,./.,.,.,. r", ""),
    ("", ".,.,./.,.,./.,.,. x", ""),
    (
        "",
        "| | | |\n| | | |\n| | | |\nred off the board: 3 3 2 2 1",
        "",
    ),
    ("", "1 | | | | 1\n2 | | | | 2\n3 | | | | 3", ""),
    ("", "R3\n| | | |", ""),
    ("", "| | | |\nR3\n| | | |\n| | | |", ""),
];

const SUSAN: &[Case] = &[
    ("", "startpos", "b2-b3"),
    ("", "startpos", "k1"),
    ("", "startpos", "c9"),
    ("", "startpos", "b2->b3"),
    ("", "startpos", "b2 b2->b3"),
    ("", "startpos", "c3 b2 c3->c5"),
    ("", "startpos", "e5 b2 e5->e7"),
    ("", "startpos", "b2 c3 b2"),
    ("", "startpos", "b2 b2"),
    ("", "5/6/7/8/9/8/7/6/5 x", ""),
    ("", "5/6 x 0", ""),
    ("", "5/6/7/8/9/7/7/6/5 x 0", ""),
    ("", "5/6/7/8/9/8/7/6/05 x 0", ""),
    ("", "5/6/7/8/9/8/7/6/4w x 0", ""),
    ("", "5/6/7/8/9/8/7/6/5 z 0", ""),
    ("", "5/6/7/8/9/8/7/6/5 x 01", ""),
    ("", "a . . .\nb . . . .\nc . . . .\nd . . . .\ne . . .", ""),
    (
        "",
        "a . . .\nb . . . .\nc . . y . .\nd . . . .\ne . . .",
        "",
    ),
    ("", "a . . .\nc . . . .", ""),
    ("", "a . . .\nb . . . .", ""),
];

const PROJEX: &[Case] = &[
    ("Size=6", "startpos", "A"),
    ("Size=6", "startpos", "K6"),
    ("Size=6", "startpos", "F11"),
    ("Size=6", "startpos", "A1"),
    ("Size=6", "startpos", "F6 A6 F6"),
    ("Size=6", "startpos", "F6 F6"),
    ("Size=6 Swap=false", "startpos", "A6 B6 C6 swap"),
    ("Size=6", "startpos", "A6 B6 C6 swap swap"),
    ("Size=6", "startpos", "A6 B6 C6 D6 swap"),
    ("", "2/3/4/3 x", ""),
    ("", "2/3/4/3/3 x 1", ""),
    ("", "2/xo2/4/3 x 1", ""),
    ("", "2/03/4/3 x 1", ""),
    ("", "2/X2/4/3 x 1", ""),
    ("", "2/3/4/3 p1 1", ""),
    ("", "2/3/4/3 x 3", ""),
    ("", "2/xxo/4/3 x 1", ""),
    ("", "2/xxo/4/oo1 o 1", ""),
    ("", "2/xo1/4/3 x 2", ""),
    ("", "oo/1oo/xxxx/3 x 1", ""),
    ("", "1 . .\n2 . .\n3 . . . .\n4 . . .", ""),
    ("", "1 . .\n2 . . .", ""),
    (
        "Size=3",
        "         c4  b4  a4\n    1  c4   .   .  a4\n  2  d3   .   .   .  a3\n3  d3   .   .   .   .\n  4  d2   .   .   .  b2\n       d1  d1  c1  c1   D\n              A   B   C",
        "",
    ),
    ("", "1 . .\n2 . y .\n3 . . . .\n4 . . .", ""),
    ("", "1 . .\n2 . . . .\n3 . . . .\n4 . . .", ""),
];

const ENTROPY: &[Case] = &[
    ("", "startpos", "a4"),
    ("", "startpos", "a0-a1"),
    ("", "startpos", "a5-a3"),
    ("", "startpos", "c3-c4"),
    ("", "s1o1s/o3o/ossos/s4/2oos s 0", "a5-b5"),
    ("", "s1o1s/o3o/ossos/s4/2oos o 0", "c5-c4"),
    ("", "s1o1s/o3o/ossos/s4/2oos o 0", "c1-b1"),
    ("", "startpos", "a1-a1"),
    ("", "startpos", "a1-b1"),
    ("", "startpos", "b1-c3"),
    ("", "startpos", "a1-a3"),
    ("", "startpos", "pass"),
    ("", "sssss/s3s/5/o3o/ooooo o", ""),
    ("", "sssss/s3s/5/o3o o 0", ""),
    ("", "sssss/s4s/5/o3o/ooooo o 0", ""),
    ("", "sssss/s3s/12/o3o/ooooo o 0", ""),
    ("", "Sssss/s3s/5/o3o/ooooo o 0", ""),
    ("", "sssss/s3s/5/o3o/oooo1 o 0", ""),
    ("", "sssss/s3s/5/o3o/ooooo x 0", ""),
    ("", "sssss/s3s/5/o3o/ooooo o 3", ""),
];

/// The game's error for an invalid line.
fn answer(game: &str, (options, position, moves): Case) -> String {
    let entry = GAMES.find(game).expect("a game");
    let mut chosen = Options::new(entry.source.options());
    for option in options.split_whitespace() {
        let (name, value) = option.split_once('=').expect("Name=value");
        chosen.set(name, Some(value)).expect("an option");
    }
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    let line = PositionLine {
        fen: Some(position).filter(|&position| position != "startpos"),
        moves: &moves,
    };
    match entry.source.open(&chosen, line) {
        Ok(_) => panic!("{game}: {position:?} moves {moves:?} is accepted"),
        Err(why) => why.to_string(),
    }
}

/// The errors in the tables of a page: the text between backticks in the column `error`. An error that begins with `...
/// ` is the end of a message.
fn errors_on_page(game: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../spec/{game}.md"));
    let page = fs::read_to_string(path).expect("a page");
    let cells = |line: &str| -> Vec<String> {
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut column = None;
    let mut errors = Vec::new();
    for line in page.lines() {
        if !line.starts_with('|') {
            column = None;
            continue;
        }
        let cells = cells(line);
        match column {
            None => column = Some(cells.iter().position(|cell| cell == "error")),
            Some(Some(column)) => {
                let quoted = cells[column].split('`').skip(1).step_by(2);
                errors.extend(quoted.map(|error| error.trim_start_matches("... ").to_owned()));
            }
            Some(None) => {}
        }
    }
    errors
}

#[test]
fn the_pages_quote_what_is_printed() {
    let games = [
        ("graph-hockey", GRAPH_HOCKEY),
        ("gobblet", GOBBLET),
        ("susan", SUSAN),
        ("projex", PROJEX),
        ("entropy", ENTROPY),
    ];
    let mut missing = Vec::new();
    for (game, cases) in games {
        let answers: Vec<String> = cases.iter().map(|&case| answer(game, case)).collect();
        let errors = errors_on_page(game);
        assert!(errors.len() > 5, "{game}: {errors:?}");
        for error in errors {
            if !answers.iter().any(|answer| answer.ends_with(&error)) {
                missing.push(format!("{game}: {error}"));
            }
        }
    }
    assert!(missing.is_empty(), "not printed: {missing:#?}");
}
