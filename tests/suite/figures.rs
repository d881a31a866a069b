//! The figures in the games' documents, with the surrounding text, read in every way in which text can be entered.

use std::fs;
use std::path::Path;

use record::game_spec::GameSpec;
use record::opening::Opening;
use record::registry::Rules;
use table::figure::{Figure, FigureReader};

use crate::support::has;

/// The text of a file in `tests/data/figures`.
pub(crate) fn text(name: &str) -> String {
    data(&format!("figures/{name}.txt"))
}

fn rules(game: &str) -> Rules {
    let spec = GameSpec::parse(game).expect("a game");
    let rules = linesman::GAMES.rules(&spec).expect("a game");
    rules.expect("a game with rules")
}

fn reader(game: &str) -> FigureReader {
    let rules = rules(game);
    FigureReader::new(rules.entry(), rules.options())
}

fn push(reader: &mut FigureReader, text: &str) {
    for line in text.lines() {
        reader.push(line);
    }
}

fn read(game: &str, text: &str) -> Vec<Figure> {
    let mut reader = reader(game);
    push(&mut reader, text);
    assert!(reader.is_complete(), "{}", reader.explain());
    let games = reader.read().games;
    let sound = |figure: Result<Figure, kit::Rejection>| figure.expect("a sound position");
    games.into_iter().map(sound).collect()
}

fn fens(figure: &Figure) -> Vec<&str> {
    let candidates = figure.candidates.iter();
    candidates.map(|candidate| candidate.fen.as_str()).collect()
}

/// Each figure: its text, its game, and for each board in it the possible position strings.
pub(crate) const FIGURES: &[(&str, &str, &[&[&str]])] = &[
    ("entropy-1", "entropy", &[&["sssss/s3s/5/o3o/ooooo o 0"]]),
    (
        "entropy-2-3",
        "entropy",
        &[
            &["s1o1s/o3o/ossos/s4/2oos o 0"],
            &["s1o1o/o1sos/s4/oosso/s4 o 0"],
        ],
    ),
    (
        "entropy-puzzle",
        "entropy",
        &[&["s1oso/o3s/o3o/1o2s/sss1o o 0"]],
    ),
    (
        "entropy-4",
        "entropy",
        &[&["sosos/1s3/o1o1o/2s2/soso1 o 0"]],
    ),
    (
        "entropy-5",
        "entropy",
        &[&["sosos/4o/o1s1o/5/sosos o 0", "sosos/4o/o1s1o/5/sosos s 0"]],
    ),
    ("susan-numbers", "susan", &[&["5/6/7/8/9/8/7/6/5 x 0"]]),
    ("susan-mail", "susan", &[&["5/6/7/8/9/8/7/6/5 x 0"]]),
    ("graph-hockey-start", "graph-hockey", &[&["4x8 -"]]),
    (
        "projex-far-side",
        "projex",
        &[&["5/6/7/8/9/10/9/8/7/6 x 1"]],
    ),
];

#[test]
fn every_figure_of_the_documents_is_read() {
    for (name, game, expected) in FIGURES {
        let figures = read(game, &text(name));
        let found: Vec<Vec<&str>> = figures.iter().map(fens).collect();
        assert_eq!(found, *expected, "{name}");
    }
}

#[test]
fn captions_stand_with_their_figures() {
    let figures = read("entropy", &text("entropy-2-3"));
    let captions: Vec<&str> = figures
        .iter()
        .filter_map(|figure| figure.caption.as_deref())
        .collect();
    assert_eq!(
        captions,
        [
            "Fig 2. The O side is in check",
            "Fig. 3. What's O's best move?"
        ]
    );
    let figures = read("entropy", &text("entropy-4"));
    assert_eq!(figures[0].caption.as_deref(), Some("Fig. 4"));
}

/// Reads the whole document at once.
#[test]
fn every_figure_of_a_document_is_found_in_it() {
    let names = [
        "entropy-1",
        "entropy-2-3",
        "entropy-puzzle",
        "entropy-4",
        "entropy-5",
    ];
    let document: String = names.iter().map(|name| text(name)).collect();
    let figures = read("entropy", &document);
    assert_eq!(figures.len(), 6);
    assert_eq!(
        figures[5].candidates.len(),
        2,
        "nothing says who is to move"
    );
    assert!(
        figures[..5]
            .iter()
            .all(|figure| figure.candidates.len() == 1)
    );
}

#[test]
fn a_figure_survives_what_mail_does_to_it() {
    for (name, game, expected) in FIGURES {
        let text = text(name);
        let quoted: String = text.lines().map(|line| format!("> > {line}\r\n")).collect();
        let spaced: String = text.lines().map(|line| format!("{line}\n\n")).collect();
        let plain = text.replace('\u{a0}', " ");
        for changed in [quoted, spaced, plain] {
            let figures = read(game, &changed);
            let found: Vec<Vec<&str>> = figures.iter().map(fens).collect();
            assert_eq!(found, *expected, "{name}: {changed}");
        }
    }
}

/// The board alone is complete with its last row, and not earlier.
#[test]
fn a_board_ends_with_its_last_row() {
    for (name, game, _) in FIGURES {
        let text = text(name);
        let mut reader = reader(game);
        let n_complete = text.lines().position(|line| {
            reader.push(line);
            reader.is_complete()
        });
        assert!(n_complete.is_some(), "{name}");
    }
    let mut reader = reader("entropy");
    for row in ["S S S S S", "S . . . S", "", ". . . . .", "O . . . O"] {
        reader.push(row);
        assert!(!reader.is_complete());
    }
    let why = reader.explain().to_string();
    has(&why, "ends before rank 1");
}

#[test]
fn what_is_no_board_is_explained() {
    for (game, text, part) in [
        (
            "graph-hockey",
            text("graph-hockey-key"),
            "the letters of the moves and no field",
        ),
        ("entropy", "S S S S\n".to_owned(), "rank 5 has 4 squares"),
        ("entropy", "hello\n".to_owned(), "rank 5 holds 'h'"),
        ("susan", "a . .\nb . . .\n".to_owned(), "rows"),
        ("gobblet", String::new(), "no board of gobblet"),
        ("projex", "1 . . .\n2 . . . .\n".to_owned(), "rows"),
    ] {
        let mut reader = reader(game);
        push(&mut reader, &text);
        assert!(!reader.is_complete(), "{game}");
        let why = reader.explain().to_string();
        has(&why, part);
    }
}

/// Boards drawn by the console are read back, in each style that shows the whole position.
#[test]
fn every_board_that_is_drawn_is_read_back() {
    for (game, style, moves) in [
        ("susan", "", "e5 b2 c3 b2->b3"),
        ("projex:Size=4", "", "B4 C4 F4"),
        ("projex:Size=4", "farside", "B4 C4 F4"),
        ("projex:Size=6", "farside", "A6 J6 F1 A10"),
        ("gobblet", "peek", "3@b2 1@a1"),
        ("entropy", "", "a2-d2 a4-c4"),
    ] {
        let mut board = open(game);
        for code in moves.split(' ') {
            board.play(code).expect("a legal move");
        }
        let drawn = board.draw(kit::View::styled(style));
        let figures = read(game, &drawn);
        assert_eq!(
            figures.iter().map(fens).collect::<Vec<_>>(),
            [[board.fen()]],
            "{drawn}"
        );
    }
}

/// The text of a file in `tests/data/letters`.
fn letter(name: &str) -> String {
    data(&format!("letters/{name}"))
}

/// The text of a file in `tests/data`.
fn data(path: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    fs::read_to_string(folder.join(path)).expect("a file")
}

/// The games of a text, each as its position, moves and variations, and what was not used.
fn games(game: &str, text: &str) -> (Vec<String>, Vec<String>) {
    let mut reader = reader(game);
    push(&mut reader, text);
    let table::figure::Reading { games, unused } = reader.read();
    let shown = games.into_iter().map(|game| {
        let game = game.expect("a sound position");
        let [only] = game.candidates.as_slice() else {
            panic!("the side to move is unknown: {game:?}");
        };
        let lines = [&only.moves].into_iter().chain(&only.variations);
        let lines: Vec<String> = lines.map(|line| line.join(" ")).collect();
        format!("{}: {}", only.fen, lines.join(" | "))
    });
    let unused = unused.iter().map(ToString::to_string).collect();
    (shown.collect(), unused)
}

/// Letters: their game, the games in them, and what looks like a move and is not used.
const LETTERS: &[(&str, &str, &str, &[&str])] = &[
    (
        "entropy-beside.txt",
        "entropy",
        "sssss/s3s/5/o3o/ooooo o 0: b1-d3",
        &["line 20: a2-a4"],
    ),
    (
        "entropy-quoted.txt",
        "entropy",
        "sssss/s3s/3o1/o3o/o1ooo s 0: a5-c3",
        &[],
    ),
    (
        "susan-diagram.txt",
        "susan",
        "5/6/7/8/4x4/8/7/6/5 o 0: b2",
        &[],
    ),
    (
        "susan-pairs.txt",
        "susan",
        "5/6/7/8/9/8/7/6/5 x 0: e5 d4 e4 c3 e5->f4 c3->c4 d3",
        &[],
    ),
    (
        "projex-plies.txt",
        "projex",
        "6/7/8/9/10/11/12/11/10/9/8/7 x 1: E7 F7 G7 swap",
        &["line 6: 5. H99", "line 6: D7"],
    ),
    (
        "gobblet-top-post.txt",
        "gobblet",
        ".,.,./.,.,./.,.,. r: 3@b2 1@a1 2@c1",
        &[],
    ),
    ("graph-hockey.txt", "graph-hockey", "4x8 -: G H J G B", &[]),
    ("hockey-pairs.txt", "graph-hockey", "4x8 -: G H J B", &[]),
    (
        "gobblet-board.txt",
        "gobblet:Size=4",
        ".,.,.,./.,.,.,./.,r4,.,./.,.,y4,. r: 4@a1",
        &[],
    ),
    (
        "projex-sentence.txt",
        "projex",
        "6/7/8/9/10/11/12/11/10/9/8/7 x 1: F6 G6 F5 swap A7 B8 C9",
        &[],
    ),
    (
        "susan-between.txt",
        "susan",
        "5/6/7/8/9/8/7/6/5 x 0: e5 d4 e4 c3 f4 b2 i5",
        &[],
    ),
];

#[test]
fn the_moves_of_a_letter_are_read_or_reported() {
    for (name, game, expected, left) in LETTERS {
        let (found, unused) = games(game, &letter(name));
        assert_eq!(found, [*expected], "{name}");
        assert_eq!(unused, *left, "{name}");
        let quoted: String = letter(name)
            .lines()
            .map(|line| format!("> {line}\n"))
            .collect();
        assert_eq!(games(game, &quoted), (found, unused), "{name}");
        let spec = table::figure::recognise(linesman::GAMES, &letter(name));
        let wanted = game.split(':').next().map(str::to_owned);
        assert_eq!(spec.ok().map(|spec| spec.name), wanted, "{name}");
    }
}

/// The games' own documents in other words: each with its game, the boards, the moves read, and what is reported.
const DOCUMENTS: &[(&str, &str, usize, usize, &[&str])] = &[
    ("entropy", "entropy", 6, 12, &["a4-c4", "d2-e1"]),
    ("susan", "susan", 1, 5, &["b2->c3"]),
    ("graph-hockey", "graph-hockey", 1, 4, &[]),
    ("gobblet", "gobblet", 1, 5, &[]),
    ("projex", "projex:Size=6", 1, 5, &["F6"]),
];

/// Whole documents: every board and every line of moves that is a game.
#[test]
fn whole_documents_are_read() {
    for (name, game, n_boards, n_moves, left) in DOCUMENTS {
        let text = data(&format!("documents/{name}.txt"));
        let mut reader = reader(game);
        push(&mut reader, &text);
        let table::figure::Reading { games, unused } = reader.read();
        let games: Vec<Figure> = games.into_iter().map(|game| game.expect("sound")).collect();
        let moves = |figure: &Figure| {
            let only = &figure.candidates[0];
            let lines = only.variations.iter().chain([&only.moves]);
            lines.map(Vec::len).sum::<usize>()
        };
        let n_read: usize = games.iter().map(moves).sum();
        let unused: Vec<String> = unused.iter().map(ToString::to_string).collect();
        assert_eq!(
            (games.len(), n_read),
            (*n_boards, *n_moves),
            "{name}: {games:?} {unused:?}"
        );
        let words = unused.iter().filter_map(|line| line.split(": ").nth(1));
        assert_eq!(words.collect::<Vec<_>>(), *left, "{name}");
    }
}

/// Moves that two games allow: the text must name one of them.
#[test]
fn a_game_is_recognised_by_its_moves_or_by_its_name() {
    let game = |text: &str| {
        let found = table::figure::recognise(linesman::GAMES, text);
        found.map(|spec| spec.name)
    };
    assert_eq!(game("1. e5\n2. e4\n3. e5->e6"), Ok("susan".to_owned()));
    assert_eq!(game("Projex?\n1. e5\n2. e4"), Ok("projex".to_owned()));
    // A name alone is no reason to prefer a game in which less can be read.
    assert_eq!(
        game("Dear Susan,\n1. G 2. H 3. J"),
        Ok("graph-hockey".to_owned())
    );
    let why = "the text fits susan, projex: expected the game";
    assert_eq!(game("1. e5\n2. e4"), Err(why.to_owned()));
}

/// Entropy's FAQ: the figures with the text around them.
#[test]
fn the_lines_of_moves_of_a_document_are_read() {
    let names = ["entropy-1", "entropy-2-3", "entropy-puzzle", "entropy-4"];
    let document: String = names.iter().map(|name| text(name)).collect();
    let (found, unused) = games("entropy", &document);
    assert_eq!(
        found[4],
        "sosos/1s3/o1o1o/2s2/soso1 o 0: pass b4-b3 pass c2-e2 | pass b4-c4 pass c2-d2 pass d2-e1 pass c4-d3"
    );
    assert_eq!(found.len(), 5);
    let prose: Vec<&str> = unused
        .iter()
        .filter_map(|line| line.split(": ").nth(1))
        .collect();
    assert_eq!(prose, ["a4-c4", "d2-e1", "b2-b4"]);
}

/// A letter quotes an older board, and repeats moves that are already in the game.
#[test]
fn numbers_without_dots_are_read() {
    let (found, unused) = games("susan", "1 e5 d4 2 e4 c3\n");
    assert_eq!((found.len(), unused.len()), (1, 0), "{found:?} {unused:?}");
    assert!(found[0].ends_with("e5 d4 e4 c3"), "{found:?}");
}

#[test]
fn an_illegal_pass_is_reported() {
    for text in ["1. a1-a2 2. pass", "1. a1-a2, pass; 2. b1-b2"] {
        let (_, unused) = games("entropy", text);
        assert!(
            unused.iter().any(|unused| unused.contains("pass")),
            "{text}: {unused:?}"
        );
    }
}

#[test]
fn moves_before_and_between_figures_belong_to_one_game() {
    let board = |moves: &[&str]| {
        let mut board = open("susan:Size=3");
        moves
            .iter()
            .for_each(|code| drop(board.play(code).expect("a legal move")));
        board.draw(kit::View::default())
    };
    let text = format!(
        "1. a1\n{}\n2. b2\n3. c1\n{}\n1. a1\n2. b2\n3. c1\n4. a3\n",
        board(&["a1"]),
        board(&["a1", "b2", "c1"])
    );
    let expected = "3/4/5/4/3 x 0: a1 b2 c1 a3";
    assert_eq!(
        games("susan:Size=3", &text),
        (vec![expected.to_owned()], Vec::new())
    );
    // As an e-mail of Linesman: the board is above the moves that lead to it.
    let text = format!(
        "{}\n1. a1\n2. b2\n\nMove 3 is for x.\n",
        board(&["a1", "b2"])
    );
    let expected = "3/4/5/4/3 x 0: a1 b2";
    assert_eq!(
        games("susan:Size=3", &text),
        (vec![expected.to_owned()], Vec::new())
    );
}

fn open(game: &str) -> Box<dyn kit::DynHistory> {
    rules(game).start()
}

/// A drawing of Graph Hockey shows lines: the game read from it draws the same ones.
#[test]
fn a_drawing_of_graph_hockey_is_read_back() {
    let mut rng = fastrand::Rng::with_seed(7);
    let sizes = ["Side=1,Gap=1", "Side=4,Gap=8", "Side=2,Gap=3"];
    for (size, n_moves) in sizes.iter().flat_map(|size| [1, 3, 6].map(|n| (size, n))) {
        let game = format!("graph-hockey:{size}");
        let mut board = open(&game);
        while board.ply() < n_moves && board.outcome().is_none() {
            let code = rng.choice(board.moves()).expect("a legal move");
            board.play(&code).expect("a legal move");
        }
        for is_ascii in [false, true] {
            let view = kit::View {
                is_ascii,
                ..kit::View::default()
            };
            let drawn = board.draw(view);
            let figures = read(&game, &drawn);
            let [fen] = fens(&figures[0])[..] else {
                panic!("the drawing tells who is to move: {drawn}");
            };
            let read = rules(&game)
                .open(&Opening::parse(fen))
                .expect("its own string");
            assert_eq!(read.draw(view), drawn, "{}", board.fen());
        }
    }
}

/// Garbage is rejected quickly and never panics.
#[test]
fn rubbish_is_no_figure() {
    let mut rng = fastrand::Rng::with_seed(1);
    let signs: Vec<char> = "SOsoxX.|-+_*ry1234<>[]()'⡏⠉⡇⠁ \t\u{a0}abcde\u{0}"
        .chars()
        .collect();
    for (_, game, _) in FIGURES.iter().chain([&("", "gobblet", &[][..])]) {
        let mut reader = reader(game);
        for _ in 0..2000 {
            let n_signs = rng.usize(..90);
            let line: String = (0..n_signs).filter_map(|_| rng.choice(&signs)).collect();
            reader.push(&line);
        }
        reader.read();
        reader.explain();
    }
}
