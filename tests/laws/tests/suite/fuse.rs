//! A game with deliberate faults: a fuse of some length, which each move shortens by one. The player who takes the last
//! piece loses. Taking back the move to length 2, drawing a fuse, and reading the move `bang` panic.

use draw::Board;
use kit::{
    Bench, BenchLimit, DrawRequest, Engine, Evaluate, Game, GameEntry, Notation, OptionDecl,
    Options, Outcome, Rejection, Setup, Side,
};

#[derive(Debug, Clone)]
pub(crate) struct Fuse;

/// The remaining fuse, and the side to move.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Left {
    length: u8,
    side: Side,
}

impl Game for Fuse {
    const NAME: &'static str = "fuse";
    type Position = Left;
    type Move = ();
    type Undo = ();

    fn options() -> Vec<OptionDecl> {
        Vec::new()
    }
    fn new(_: &Options) -> Fuse {
        Fuse
    }
    fn start(&self) -> Left {
        Left {
            length: 9,
            side: Side::P1,
        }
    }
    fn side(&self, left: &Left) -> Side {
        left.side
    }
    fn outcome(&self, left: &Left) -> Option<Outcome> {
        (left.length == 0).then_some(Outcome::Win(left.side))
    }
    fn moves(&self, _: &Left, moves: &mut Vec<()>) {
        moves.push(());
    }
    fn check(&self, _: &Left, (): ()) -> Result<(), Rejection> {
        Ok(())
    }
    fn play(&self, left: &mut Left, (): ()) {
        left.length -= 1;
        left.side = left.side.other();
    }
    fn undo(&self, left: &mut Left, (): (), (): ()) {
        assert_ne!(left.length, 2);
        left.length += 1;
        left.side = left.side.other();
    }
    fn key(&self, left: &Left) -> u64 {
        u64::from(left.length) << 1 | left.side.index() as u64
    }
    fn move_index(&self, (): ()) -> usize {
        0
    }
    fn n_move_indices(&self) -> usize {
        1
    }
}

impl Notation for Fuse {
    fn shape(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
    fn format_move(&self, _: &Left, (): ()) -> String {
        "tick".to_owned()
    }
    fn parse_move(&self, _: &Left, code: &str) -> Result<(), Rejection> {
        assert_ne!(code, "bang");
        Ok(())
    }
    fn format_position(&self, left: &Left) -> String {
        left.length.to_string()
    }
    fn parse_position(&self, text: &str) -> Result<Setup<Fuse>, Rejection> {
        let length = text.parse().map_err(|_| "expected a number")?;
        let side = Side::P1;
        Ok(Setup::at((Fuse, Left { length, side })))
    }
    fn board(&self, _: &DrawRequest<Fuse>) -> Board {
        panic!("a fuse cannot be drawn")
    }
    fn explain(&self, _: &Left, _: Option<Outcome>) -> Option<String> {
        None
    }
}

impl Evaluate for Fuse {
    type Sums = ();
    fn evaluate(&self, left: &Left, (): &()) -> i32 {
        i32::from(left.length)
    }
}

impl Engine for Fuse {
    const AUTHOR: &'static str = "Jane Doe";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(1),
        positions: "9",
    };
}

pub(crate) static GAME: GameEntry = GameEntry::of::<Fuse>(&nim::TEXTS);
