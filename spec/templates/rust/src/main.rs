//! Sticks as an engine, with Linesman's kit as a library: of 21 sticks each turn takes 1, 2 or 3, and the player who takes
//! the last one wins. `spec/rules.md` explains each part.

use std::process::ExitCode;
use std::sync::LazyLock;

use draw::{Board, Form, GameTexts, Input, Point, Role};
use kit::hash::hash;
use kit::{
    Bench, BenchLimit, DrawRequest, Engine, Evaluate, Game, GameEntry, Notation, OptionDecl, Options, Outcome, Rejection,
    Setup, Side, fen,
};

/// The game with its option, the number of sticks.
#[derive(Debug, Clone)]
struct Sticks {
    n_sticks: u8,
}

/// The sticks left, and the side to move.
#[derive(Debug, Clone, PartialEq)]
struct Position {
    left: u8,
    side: Side,
}

impl Game for Sticks {
    const NAME: &'static str = "sticks";
    type Position = Position;
    type Move = u8;
    type Undo = ();

    fn options() -> Vec<OptionDecl> {
        vec![OptionDecl::spin("Sticks", 21, 1, 99)]
    }
    fn new(options: &Options) -> Sticks {
        Sticks { n_sticks: options.spin("Sticks") as u8 }
    }
    fn start(&self) -> Position {
        Position { left: self.n_sticks, side: Side::P1 }
    }
    fn side(&self, position: &Position) -> Side {
        position.side
    }
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        (position.left == 0).then(|| Outcome::Win(position.side.other()))
    }
    fn moves(&self, position: &Position, moves: &mut Vec<u8>) {
        moves.extend(1..=position.left.min(3));
    }
    fn check(&self, position: &Position, taken: u8) -> Result<(), Rejection> {
        match position.left {
            left if left < taken => Err(format!("only {left} are left").into()),
            _ => Ok(()),
        }
    }
    fn play(&self, position: &mut Position, taken: u8) {
        *position = Position { left: position.left - taken, side: position.side.other() };
    }
    fn undo(&self, position: &mut Position, taken: u8, (): ()) {
        *position = Position { left: position.left + taken, side: position.side.other() };
    }
    fn rules_key(&self) -> u64 {
        hash([self.n_sticks.into()])
    }
    fn key(&self, position: &Position) -> u64 {
        hash([position.left.into(), position.side.index() as u64])
    }
    fn move_index(&self, taken: u8) -> usize {
        usize::from(taken - 1)
    }
    fn n_move_indices(&self) -> usize {
        3
    }
}

impl Notation for Sticks {
    fn shape(&self) -> Vec<(&'static str, String)> {
        vec![("Sticks", self.n_sticks.to_string())]
    }
    fn format_move(&self, _: &Position, taken: u8) -> String {
        taken.to_string()
    }
    fn parse_move(&self, _: &Position, code: &str) -> Result<u8, Rejection> {
        let taken = fen::parse_number(code).filter(|taken| (1..=3).contains(taken));
        taken.ok_or("expected 1, 2 or 3".into())
    }
    /// The initial number of sticks is part of the string, so that the options can be read from it.
    fn format_position(&self, position: &Position) -> String {
        format!("{}/{} {}", position.left, self.n_sticks, position.side)
    }
    fn parse_position(&self, text: &str) -> Result<Setup<Sticks>, Rejection> {
        let [sticks, side] = fen::fields(text, "sticks left, of how many, and player to move, as in 18/21 p2")?;
        let numbers = sticks.split_once('/').and_then(|(left, all)| fen::parse_number(left).zip(fen::parse_number(all)));
        let is_sound = |(left, all): &(u8, u8)| left <= all && (1..=99).contains(all);
        let (left, n_sticks) = numbers.filter(is_sound).ok_or("expected sticks like 18/21, up to 99")?;
        let side = Side::BOTH.into_iter().find(|known| known.to_string() == side);
        let side = side.ok_or("expected p1 or p2 behind the sticks")?;
        Ok(Setup::at((Sticks { n_sticks }, Position { left, side })))
    }
    fn explain(&self, _: &Position, outcome: Option<Outcome>) -> Option<String> {
        match outcome? {
            Outcome::Win(side) => Some(format!("{side} wins: it took the last stick")),
            Outcome::Draw => None,
        }
    }
    /// A click on one of the last three sticks takes it and those after it.
    fn board(&self, request: &DrawRequest<Sticks>) -> Board {
        let left = request.position.left;
        let mut page = request.board(self, "", |taken| Input::spot(taken.to_string()));
        for taken in 1..=left {
            let at = Form::circle(Point::new(f64::from(left - taken), 0.0), 0.4);
            page.put(Role::Piece, at.clone()).glyph("|");
            page.spot(taken.to_string(), format!("take {taken}"), at);
        }
        page
    }
}

impl Evaluate for Sticks {
    type Sums = ();
    fn evaluate(&self, _: &Position, (): &()) -> i32 {
        0 // the search reaches the end of every game
    }
}

impl Engine for Sticks {
    const AUTHOR: &'static str = "Jane Doe";
    const BENCH: Bench = Bench { limit: BenchLimit::Depth(12), positions: "21/21 p1\n50/99 p2" };
}

static TEXTS: LazyLock<GameTexts> = LazyLock::new(|| GameTexts::parse(include_str!("texts.json")));

fn main() -> ExitCode {
    GameEntry::of::<Sticks>(&TEXTS).main()
}
