//! A strict GoGui: it knows no rules, makes half moves, and sends each move of the computer twice, as the real GoGui
//! does. It was compared with GoGui 1.6.0.

use super::controller::Controller;
use crate::support::in_parallel;

/// Number of half moves after which a game is stopped.
const LONG: usize = 300;

/// GoGui with a program attached.
struct GoGui {
    program: Controller,
    size: usize,
    /// The half moves, each with the array before it, which is compared with the array after it is taken back.
    seen: Vec<(Vec<String>, String)>,
}

impl GoGui {
    fn attach(words: &[&str]) -> GoGui {
        let mut program = Controller::new(words);
        let commands = program.words("list_commands");
        for command in [
            "gogui-rules_board",
            "gogui-rules_legal_moves",
            "gogui-rules_side_to_move",
            "version",
            "undo",
        ] {
            assert!(commands.iter().any(|known| known == command), "{command}");
            assert_eq!(program.ask(&format!("known_command {command}")), "true");
        }
        assert_eq!(program.ask("known_command dance"), "false");
        assert_eq!(program.ask("protocol_version"), "2");
        let id = program.ask("gogui-rules_game_id");
        let is_id = id.chars().enumerate().all(|(index, c)| match index {
            0 => c.is_ascii_uppercase(),
            _ => c.is_ascii_lowercase(),
        });
        assert!(is_id, "{id}");
        let board_size = program.words("gogui-rules_board_size");
        let is_hex = board_size.len() > 1;
        let size = board_size[0].parse().expect("a number");
        assert!(
            matches!(
                board_size[1..].first().map(String::as_str),
                None | Some("hex")
            ),
            "square boards only: {board_size:?}"
        );
        program.ask(&format!("boardsize {size}"));
        program.ask("clear_board");
        program.ask("komi 6.5");
        let mut gogui = GoGui {
            program,
            size,
            seen: Vec::new(),
        };
        if is_hex {
            gogui.check_holes();
        }
        gogui
    }

    /// `BoardPainterHex` of GoGui 1.6.0 exchanges columns and rows of removed points, so that hexagons would be missing
    /// from the board, and could not be clicked, if these points were not symmetric.
    fn check_holes(&mut self) {
        let array = self.array();
        let is_hole =
            |column: usize, row: usize| array[(self.size - 1 - row) * self.size + column] == "?";
        for (column, row) in
            (0..self.size).flat_map(|column| (0..column).map(move |row| (column, row)))
        {
            assert_eq!(is_hole(column, row), is_hole(row, column), "{column} {row}");
        }
    }

    /// The board array as GoGui reads it: one word per point, the top row first.
    fn array(&mut self) -> Vec<String> {
        let text = self.program.ask("gogui-rules_board");
        let rows: Vec<&str> = text.lines().filter(|row| !row.is_empty()).collect();
        assert_eq!(rows.len(), self.size, "{text}");
        let mut array = Vec::new();
        for row in rows {
            let points: Vec<String> = row.split(' ').map(str::to_owned).collect();
            assert_eq!(points.len(), self.size, "{row:?}");
            assert!(
                points
                    .iter()
                    .all(|point| matches!(point.as_str(), "." | "X" | "O" | "?")),
                "{row:?}"
            );
            array.extend(points);
        }
        array
    }

    /// The content of a point.
    fn at<'a>(&self, array: &'a [String], vertex: &str) -> &'a str {
        let n_letters = vertex.bytes().take_while(u8::is_ascii_alphabetic).count();
        let index = |letter: u8| usize::from(letter - b'A') - usize::from(letter > b'I');
        let column = match &vertex.as_bytes()[..n_letters] {
            [one] => index(*one),
            [first, second] => 25 * (index(*first) + 1) + index(*second),
            _ => panic!("{vertex}"),
        };
        let row: usize = vertex[n_letters..].parse().expect("a row");
        &array[(self.size - row) * self.size + column]
    }

    fn legal_moves(&mut self) -> Vec<String> {
        let legal = self.program.words("gogui-rules_legal_moves");
        let array = self.array();
        for vertex in legal.iter().filter(|vertex| *vertex != "pass") {
            assert_ne!(self.at(&array, vertex), "?", "{vertex} is on the board");
        }
        legal
    }

    fn side(&mut self) -> char {
        let side = self.program.ask("gogui-rules_side_to_move");
        side.chars().next().expect("a colour")
    }

    /// Records a half move that the program has made.
    fn moved(&mut self, before: Vec<String>, side: char, vertex: &str) {
        let command = format!("play {side} {vertex}");
        let after = self.array();
        let again = self.program.try_ask(&command);
        assert!(again.is_err(), "{side} {vertex} again");
        self.seen.push((before, command));
        assert_eq!(self.array(), after, "{side} {vertex} again changes nothing");
        let graphics = self.program.ask("gogui-rules_board_gfx");
        for line in graphics.lines() {
            let word = line.split(' ').next().unwrap_or_default();
            assert!(
                matches!(word, "COLOR" | "LABEL" | "CIRCLE" | "SQUARE" | "TEXT"),
                "{graphics}"
            );
        }
    }

    /// A person plays black at random, the computer plays white, until neither has a move.
    fn play(&mut self, seed: u64) {
        let mut random = fastrand::Rng::with_seed(seed);
        while self.seen.len() < LONG {
            let legal = self.legal_moves();
            if legal.is_empty() {
                let result = self.program.ask("gogui-rules_final_result");
                assert!(
                    ["Black wins", "White wins", "draw"]
                        .iter()
                        .any(|start| result.starts_with(start)),
                    "{result}"
                );
                break;
            }
            let before = self.array();
            let side = self.side();
            let vertex = match side {
                'b' => {
                    let vertex = legal[random.usize(..legal.len())].clone();
                    self.program.ask(&format!("play b {vertex}"));
                    vertex
                }
                _ => self.program.ask("genmove w"),
            };
            assert!(legal.contains(&vertex), "{vertex} among {legal:?}");
            self.moved(before, side, &vertex);
        }
    }

    /// Repeats the game, which GoGui does after each refused half move.
    fn repeat(&mut self) {
        let end = self.array();
        self.program.ask("clear_board");
        for (_, command) in &self.seen {
            self.program.ask(command);
        }
        assert_eq!(self.array(), end);
    }

    fn take_all_back(&mut self) {
        while let Some((before, _)) = self.seen.pop() {
            self.program.ask("undo");
            assert_eq!(self.array(), before, "after {} half moves", self.seen.len());
        }
        assert!(self.program.try_ask("undo").is_err());
        assert_eq!(self.side(), 'b');
    }
}

fn play_whole_games(game: &str) {
    let mut gogui = GoGui::attach(&[game, "--engine", "builtin", "nodes=40"]);
    for seed in 0..2 {
        gogui.play(seed);
        gogui.repeat();
        gogui.take_all_back();
        gogui.program.ask("clear_board");
    }
    assert_eq!(gogui.program.ask("quit"), "");
}

#[test]
fn gogui_plays_whole_games() {
    let games = [
        "susan:Size=4",
        "gobblet",
        "gobblet:Size=4",
        "projex:Size=4",
        "entropy",
    ];
    in_parallel(&games, |game| play_whole_games(game));
}

/// After the swap black is still player 1: the stones exchange colours, and black is to move.
#[test]
fn a_swap_is_a_click_on_any_stone() {
    let mut gogui = GoGui::attach(&["projex:Size=3"]);
    for half_move in ["play b A1", "play w B2", "play b C3"] {
        gogui.program.ask(half_move);
    }
    let legal = gogui.legal_moves();
    for stone in ["A1", "B2", "C3"] {
        assert!(legal.contains(&stone.to_owned()), "{stone}: {legal:?}");
    }
    assert!(!legal.contains(&"pass".to_owned()), "{legal:?}");
    let text = gogui.program.ask("gogui-rules_board_gfx");
    assert!(
        text.ends_with("TEXT White to move, or swap by a click on a stone"),
        "{text}"
    );
    let before = gogui.array();
    gogui.program.ask("play w B2");
    assert_eq!(gogui.side(), 'b');
    let exchanged: Vec<&str> = before
        .iter()
        .map(|point| match point.as_str() {
            "X" => "O",
            "O" => "X",
            other => other,
        })
        .collect();
    assert_eq!(gogui.array(), exchanged);
    assert!(!gogui.legal_moves().contains(&"B2".to_owned()));
    gogui.program.ask("undo");
    assert_eq!(gogui.array(), before);
}

#[test]
fn the_engine_completes_no_half_move_of_a_person() {
    let mut program = Controller::new(&["entropy", "--engine", "builtin", "nodes=40"]);
    program.ask("play b A1");
    let why = program
        .try_ask("genmove b")
        .expect_err("half of a move is entered");
    assert_eq!(
        why,
        "half of a move is entered, A1: play the rest or undo it"
    );
    program.ask("undo");
    program.ask("genmove b");
    assert_eq!(program.ask("genmove w"), "pass", "it fills the turn");
    // The person may choose another second half than the engine did.
    let second = program
        .words("gogui-rules_legal_moves")
        .pop()
        .expect("a move");
    program.ask(&format!("play b {second}"));
    assert_eq!(program.ask("gogui-rules_side_to_move"), "white");
}

#[test]
fn a_command_interrupts_a_long_search() {
    let mut program = Controller::new(&["susan"]);
    program.ask("time_settings 0 3600 1");
    assert_eq!(program.ask("gogui-interrupt"), "");
    // The comment has no answer; `genmove` is answered at once.
    let vertex = program.ask("genmove b\n# interrupt");
    assert!(vertex.len() >= 2, "{vertex}");
}

/// The pass between two half moves and those after the end are taken back one by one, like half moves.
#[test]
fn passes_that_fill_a_turn_are_taken_back() {
    let mut program = Controller::new(&["entropy", "--engine", "builtin", "nodes=40"]);
    program.ask("play b A1");
    assert_eq!(program.ask("genmove w"), "pass");
    let why = program
        .try_ask("play w pass")
        .expect_err("one pass is enough");
    assert_eq!(why, "black is to move");
    let vertex = program.words("gogui-rules_legal_moves")[0].clone();
    program.ask(&format!("play b {vertex}"));
    assert_eq!(program.ask("gogui-rules_side_to_move"), "white");
    for side in ["black", "black", "black"] {
        program.ask("undo");
        assert_eq!(program.ask("gogui-rules_side_to_move"), side);
    }
    assert!(program.try_ask("undo").is_err(), "three were made");
    let mut program = Controller::new(&["susan:Size=3"]);
    program.ask("linesman-position ox1/x3/5/4/o2 x 0");
    program.ask("play b C4");
    assert_eq!(program.ask("genmove w"), "resign");
    assert_eq!(program.ask("genmove b"), "pass");
    program.ask("play w pass");
    program.ask("undo");
    program.ask("undo");
    assert_eq!(program.ask("final_score"), "B+R");
    program.ask("undo");
    assert!(program.try_ask("final_score").is_err());
}
