//! Worked examples of a game as a text file of cases, in the folder of a game's tests.
//!
//! A case begins with `== ` and its name, in a game at the start position with the default options. Each line below is a
//! step: it changes the game, or says what is true of it. Lines that are indented by four blanks, and blank lines
//! between them, belong to the step above: a board. `\e` stands for the escape character.
//!
//! ```text
//! == surrounding both loses
//! with Size=3
//! at oxo/o1o1/5/4/3 x 0
//! play b2
//! won by p2
//! ```
//!
//! | Step | |
//! | --- | --- |
//! | `with Size=3 Swap=false` | begins anew with these options |
//! | `at POSITION`, or `at` and a board | begins anew there, with the same options |
//! | `play a1 b2`, `undo` | plays moves, takes one back |
//! | `goes on`, `drawn`, `won by p1` | the outcome |
//! | `fen`, `shape`, `explains` TEXT | the position string, the options of the board, the explanation (or none) |
//! | `moves a1 b2` | all legal moves, in their order; `moves a1 ... b2`: the first ones and the last ones |
//! | `lists a1`, `lacks a1` | some legal codes; codes that are not legal |
//! | `reads TYPED => CODE` | a code as people type it; quotes around it are dropped |
//! | `refuses CODE: WHY` | the error of a code; several, each tried, as `refuses a1 \| b2: WHY` |
//! | `bad TEXT => WHY`, or `bad => WHY` and a board | the error of a position; several as above |
//! | `draws VIEW` and a board | the board: a style, `flipped`, `coloured`, `7bit`, `close`, `without=e,T`, `lines=16` |
//! | `shows VIEW` and lines | these lines stand in the board, below one another; `hides VIEW` and a line that does not |
//! | `ends TEXT` | the last line of the board |
//! | `told TEXT`, `shapes VIEW Danger=1` | the caption of the diagram, and how many shapes have a role |

use draw::{Room, Shape, View};
use kit::{DynHistory, Engine, Outcome, Side};

use crate::testing::at;

/// Columns of a screen with little space for lines.
const COLUMNS: usize = 60;

/// Tries every case of a file. Returns their number.
///
/// # Panics
/// With the line and the name of the first case that fails.
pub fn check_cases<G: Engine>(text: &str) -> usize {
    try_cases(text, &|options| {
        G::erased(&at::<G>(options, "startpos")).fork()
    })
}

/// Starts a game with these options.
type Begin<'a> = &'a dyn Fn(&str) -> Box<dyn DynHistory>;

fn try_cases(text: &str, begin: Begin<'_>) -> usize {
    let mut n_cases = 0;
    let mut case = Case::new("", begin);
    let lines: Vec<&str> = text.lines().collect();
    let is_board = |line: &&str| line.is_empty() || line.starts_with("    ");
    for (n, &line) in lines.iter().enumerate() {
        if line.starts_with('#') || is_board(&line) {
            continue;
        }
        if let Some(name) = line.strip_prefix("== ") {
            n_cases += 1;
            case = Case::new(name, begin);
            continue;
        }
        let below = lines[n + 1..].iter().copied().take_while(is_board);
        let board: Vec<&str> = below
            .map(|line| line.get(4..).unwrap_or_default())
            .collect();
        let board = board
            .join("\n")
            .trim_end_matches('\n')
            .replace("\\e", "\u{1b}");
        case.place = format!("line {}, {}: {line}", n + 1, case.name);
        case.step(line, &board);
    }
    assert!(n_cases > 0, "cases to try");
    n_cases
}

struct Case<'a> {
    begin: Begin<'a>,
    name: &'a str,
    /// The present line, for errors.
    place: String,
    options: &'a str,
    history: Box<dyn DynHistory>,
}

impl<'a> Case<'a> {
    fn new(name: &'a str, begin: Begin<'a>) -> Case<'a> {
        Case {
            begin,
            name,
            place: name.to_owned(),
            options: "",
            history: begin(""),
        }
    }

    fn step(&mut self, line: &'a str, board: &str) {
        let place = &self.place;
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let history = self.history.as_ref();
        match verb {
            "with" => (self.options, self.history) = (rest, (self.begin)(rest)),
            "at" => {
                let text = if rest.is_empty() { board } else { rest };
                let read = (self.begin)(self.options).begun_at(text);
                self.history = read.unwrap_or_else(|why| panic!("{place}: {why}"));
            }
            "play" => {
                for word in rest.split([' ', ',']).filter(|word| !word.is_empty()) {
                    for code in self.history.split_codes(word) {
                        let played = self.history.play(code);
                        played.unwrap_or_else(|why| panic!("{place}: {why}"));
                    }
                }
            }
            "undo" => assert!(self.history.undo(), "{place}"),
            "goes" | "drawn" | "won" => {
                let expected = match line {
                    "goes on" => None,
                    "drawn" => Some(Outcome::Draw),
                    "won by p1" => Some(Outcome::Win(Side::P1)),
                    "won by p2" => Some(Outcome::Win(Side::P2)),
                    _ => panic!("{place}: no such outcome"),
                };
                assert_eq!(history.outcome(), expected, "{place}");
            }
            "fen" => assert_eq!(history.fen(), rest, "{place}"),
            "shape" => assert_eq!(history.shape(), rest, "{place}"),
            "explains" => assert_eq!(history.explain().unwrap_or_default(), rest, "{place}"),
            "moves" => {
                let found = history.moves().join(" ");
                let (first, last) = rest.split_once(" ... ").unwrap_or((rest, ""));
                let is_listed = found.starts_with(first) && found.ends_with(last);
                let is_whole = rest.contains(" ... ") || found == rest;
                assert!(is_listed && is_whole, "{place}: {found}");
            }
            "lists" | "lacks" => {
                let found = history.moves();
                for code in rest.split(' ') {
                    let is_listed = found.iter().any(|other| other == code);
                    assert_eq!(is_listed, verb == "lists", "{place}: {found:?}");
                }
            }
            "reads" => {
                let (typed, code) = rest.split_once(" => ").expect(place);
                let read = history.fork().play(typed.trim_matches('"'));
                assert_eq!(read.as_deref(), Ok(code), "{place}");
            }
            "refuses" => {
                let (codes, why) = rest.split_once(": ").expect(place);
                for code in codes.split(" | ") {
                    let found = history.fork().play(code).map_err(|why| why.0);
                    assert_eq!(found, Err(format!("{code}: {why}")), "{place}");
                }
            }
            "bad" => {
                let (texts, why) = rest.split_once("=> ").expect(place);
                let listed = texts.strip_suffix(' ');
                let texts = listed.map_or(vec![board], |texts| texts.split(" | ").collect());
                for text in texts {
                    let found = history.begun_at(text).map(|read| read.fen());
                    let found = found.map_err(|why| why.0);
                    assert_eq!(found, Err(why.to_owned()), "{place}: {text:?}");
                }
            }
            "draws" => assert_eq!(self.drawn(rest), board, "{place}\n{}", self.drawn(rest)),
            "shows" | "hides" => {
                let drawn = self.drawn(rest);
                let is_shown = drawn.contains(board);
                assert_eq!(is_shown, verb == "shows", "{place}\n{drawn}\n{drawn:?}");
            }
            "ends" => assert_eq!(self.drawn("").lines().last(), Some(rest), "{place}"),
            "told" => assert_eq!(history.diagram(View::default()).caption, rest, "{place}"),
            "shapes" => {
                let (counts, view): (Vec<&str>, Vec<&str>) = rest
                    .split(' ')
                    .partition(|word| word.starts_with(char::is_uppercase));
                let shapes = self.seen(&view.join(" "), |view| history.diagram(view).shapes);
                for (role, expected) in counts.iter().filter_map(|word| word.split_once('=')) {
                    let has_role = |shape: &&Shape| format!("{:?}", shape.role) == role;
                    let found = shapes.iter().filter(has_role).count();
                    assert_eq!(found.to_string(), expected, "{place}: {role}");
                }
            }
            _ => panic!("{place}: no such step"),
        }
    }

    fn drawn(&self, words: &str) -> String {
        self.seen(words, |view| self.history.draw(view))
    }

    /// The board in the view that these words name.
    fn seen<T>(&self, words: &str, draw: impl FnOnce(View) -> T) -> T {
        let mut view = View::default();
        let mut ruled_out = Vec::new();
        for word in words.split_whitespace() {
            match word.split_once('=').unwrap_or((word, "")) {
                ("flipped", _) => view.is_flipped = true,
                ("coloured", _) => view.is_coloured = true,
                ("7bit", _) => view.is_ascii = true,
                ("close", _) => view.room = Some(Room::UNLIMITED),
                ("without", codes) => ruled_out = codes.split(',').map(str::to_owned).collect(),
                ("lines", n) => {
                    view.room = Some(Room {
                        columns: COLUMNS,
                        lines: n.parse().expect(words),
                        shows: "",
                    });
                }
                _ => view.style = word,
            }
        }
        let is_known = view.style.is_empty() || self.history.styles().contains(&view.style);
        assert!(is_known, "{}: no style {}", self.place, view.style);
        let ruled_out = ruled_out.as_slice();
        draw(View { ruled_out, ..view })
    }
}
