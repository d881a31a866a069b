//! Move codes and position strings: `a4-c4`, `sssss/s3s/5/o3o/ooooo o 0`.
//!
//! Position strings are read strictly. The figures of the FAQ are drawn by `diagram`, and described here for reading.

use draw::Board;
use draw::grid::DrawnBoard;
use kit::{DrawRequest, Game, Notation, Outcome, Rejection, Setup, Side, fen};

use crate::diagram;
use crate::geometry::{SIDE, Square};
use crate::position::{
    Entropy, Goal, LETTERS, Move, PASSES_TO_DRAW, Pieces, Position, letter, name,
};

/// The fields of a position string, for errors.
const FIELDS: &str = "ranks, player to move and passes, as in sssss/s3s/5/o3o/ooooo o 0";

/// The possible numbers of consecutive passes, from none to a draw.
const PASSES: [char; 3] = ['0', '1', '2'];

/// Number of pieces per player.
const N_PIECES: u32 = 7;

impl Notation for Entropy {
    const READABLE_STYLES: &'static [&'static str] = &[""];

    fn shape(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn format_move(&self, _: &Position, mv: Move) -> String {
        match mv {
            Move::Slide { from, to } => format!("{from}-{to}"),
            Move::Pass => "pass".to_owned(),
        }
    }

    fn parse_move(&self, _: &Position, code: &str) -> Result<Move, Rejection> {
        if code.trim().eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        let (from, to) = code
            .split_once('-')
            .ok_or("expected two squares such as a4-c4, or pass")?;
        Ok(Move::Slide {
            from: Square::parse(from, SIDE)?,
            to: Square::parse(to, SIDE)?,
        })
    }

    fn format_position(&self, position: &Position) -> String {
        let letters: Vec<Option<char>> = Square::from_the_top(SIDE)
            .map(|square| position.owner(square).map(letter))
            .collect();
        let ranks = letters.chunks(SIDE.into());
        let ranks: Vec<String> = ranks.map(|rank| fen::format_row(rank.to_vec())).collect();
        let (side, passes) = (letter(position.side), position.passes);
        format!("{} {side} {passes}", ranks.join("/"))
    }

    fn parse_position(&self, text: &str) -> Result<Setup<Entropy>, Rejection> {
        let [ranks, side, passes] = fen::fields(text, FIELDS)?;
        let position = Position {
            pieces: parse_ranks(ranks)?,
            side: fen::parse_side(side, LETTERS)?,
            passes: fen::parse_choice("passes", passes, PASSES)? as u8,
        };
        Ok(Setup::at((self.clone(), position)))
    }

    /// If no side to move is named, `o` is to move.
    fn drawn_fen(&self, board: &DrawnBoard) -> Result<String, Rejection> {
        board.refuse_finished()?;
        let side = Side::BOTH[board.turn.unwrap_or(0)];
        let passes = u8::from(board.tells("after a pass"));
        Ok(format!("{} {} {passes}", board.packed(), letter(side)))
    }

    fn side_name(&self, _: &Position, side: Side) -> String {
        name(side)
    }

    fn explain(&self, position: &Position, outcome: Option<Outcome>) -> Option<String> {
        Some(match outcome {
            Some(Outcome::Draw) => format!("draw: {}", drawn(self, position)),
            Some(Outcome::Win(side)) => {
                let (own, enemy) = (name(side), name(side.other()));
                match self.goal {
                    Goal::Contact => {
                        format!("{own} wins: every {own} touches {enemy} and no {own}")
                    }
                    Goal::Apart => format!("{own} wins: no {own} touches {own}"),
                }
            }
            None if self.must_pass(position) => no_slide(position),
            None => return None,
        })
    }

    fn board(&self, request: &DrawRequest<Entropy>) -> Board {
        diagram::board(self, request)
    }
}

/// The reason for a draw.
fn drawn(game: &Entropy, position: &Position) -> &'static str {
    let without_passes = Position {
        passes: 0,
        ..*position
    };
    if game.outcome(&without_passes).is_some() {
        "both have reached the goal"
    } else if position.passes >= PASSES_TO_DRAW {
        "two passes in a row"
    } else {
        "third occurrence of this position"
    }
}

/// The reason why only a pass is legal.
fn no_slide(position: &Position) -> String {
    let own = name(position.side);
    let why = match position.isolated() {
        0 => format!("no {own} with a neighbour of its own has a free square to slide to"),
        isolated => {
            let isolated = Square::names(isolated);
            format!("no slide brings a neighbour to every isolated piece ({isolated})")
        }
    };
    format!("{own} can only pass: {why}")
}

/// The pieces of these ranks. An error unless each player has seven.
fn parse_ranks(text: &str) -> Result<Pieces, Rejection> {
    let n_ranks = text.split('/').count();
    if n_ranks != usize::from(SIDE) {
        let found = fen::counted(n_ranks, "rank");
        return Err(Rejection(format!("{found}: expected {SIDE}")));
    }
    let lengths = [usize::from(SIDE); SIDE as usize];
    let name = |i| format!("rank {}", usize::from(SIDE) - i);
    let mut sets = [0; 2];
    for (square, side) in
        Square::from_the_top(SIDE).zip(fen::parse_rows(text, LETTERS, lengths, name)?)
    {
        if let Some(side) = side {
            sets[side] |= square.bit();
        }
    }
    for (set, letter) in sets.iter().zip(LETTERS) {
        let count = set.count_ones();
        if count != N_PIECES {
            return Err(Rejection(format!(
                "there are {count} {letter} pieces: expected {N_PIECES}"
            )));
        }
    }
    Ok(Pieces::new(sets[0], sets[1]))
}
