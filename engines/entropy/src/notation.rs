//! Move codes and position strings: `a4-c4`, `sssss/s3s/5/o3o/ooooo o 0`.
//!
//! Position strings are read strictly. Figures are written by `diagram` and read by `parse_diagram`.

use kit::notation::excerpt;
use kit::{Diagram, DrawRequest, Notation, Outcome, Rejection, Setup, Side};

use crate::geometry::{SIDE, Square, Squares, from_the_top};
use crate::rules::{Entropy, Move, PASSES_TO_DRAW, Pieces, Position};
use crate::{diagram, parse_diagram};

/// The letter of a player's pieces in position strings.
pub(crate) fn letter(side: Side) -> char {
    match side {
        Side::P1 => 'o',
        Side::P2 => 's',
    }
}

impl Notation for Entropy {
    fn shape(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn format_move(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Slide { from, to } => format!("{from}-{to}"),
            Move::Pass => "pass".to_owned(),
        }
    }

    fn parse_move(&self, _position: &Position, code: &str) -> Result<Move, Rejection> {
        if code.trim().eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        let (from, to) = code
            .split_once('-')
            .ok_or("expected two squares such as a4-c4, or pass")?;
        Ok(Move::Slide {
            from: parse_square(from)?,
            to: parse_square(to)?,
        })
    }

    fn format_position(&self, position: &Position) -> String {
        format_fen(position)
    }

    fn parse_position(&self, text: &str) -> Result<Setup<Entropy>, Rejection> {
        let position = if parse_diagram::is_diagram(text) {
            parse_diagram::parse(text)?
        } else {
            parse_fen(text)?
        };
        Ok(Setup::at((self.clone(), position)))
    }

    fn side_name(&self, _: &Position, side: Side) -> String {
        diagram::name(side)
    }

    fn explain(&self, position: &Position, outcome: Option<Outcome>) -> Option<String> {
        diagram::explain(self, position, outcome)
    }

    fn draw(&self, request: &DrawRequest<Entropy>) -> String {
        diagram::draw(self, request)
    }

    fn diagram(&self, request: &DrawRequest<Entropy>) -> Diagram {
        diagram::diagram(self, request)
    }
}

fn parse_square(word: &str) -> Result<Square, Rejection> {
    let word = word.trim();
    let [file, rank] = word.as_bytes() else {
        return Err(not_a_square(word));
    };
    let file = file.to_ascii_lowercase().wrapping_sub(b'a');
    let rank = rank.wrapping_sub(b'1');
    Square::new(file, rank).ok_or_else(|| not_a_square(word))
}

fn not_a_square(word: &str) -> Rejection {
    Rejection(format!(
        "{:?} is not a square: expected a1 to e5",
        excerpt(word)
    ))
}

/// Pieces of each player.
const N_PIECES: u32 = 7;

/// What stands on a square.
pub(crate) type Cell = Option<Side>;

/// The squares of a position, as [`from_the_top`] goes.
fn cells(position: &Position) -> Vec<Cell> {
    let holds = |side: Side, bit| position.pieces.of(side) & bit != 0;
    let owner = |bit| Side::BOTH.into_iter().find(|&side| holds(side, bit));
    from_the_top().map(|square| owner(square.bit())).collect()
}

/// The pieces that stand on these squares, given as [`from_the_top`] goes; there must be seven of each player.
pub(crate) fn place(cells: &[Cell]) -> Result<Pieces, Rejection> {
    let set = |side| {
        let held = from_the_top()
            .zip(cells)
            .filter(|&(_, &cell)| cell == Some(side));
        held.fold(0, |set: Squares, (square, _)| set | square.bit())
    };
    let sets = Side::BOTH.map(set);
    for (side, set) in Side::BOTH.into_iter().zip(sets) {
        let count = set.count_ones();
        if count != N_PIECES {
            return Err(Rejection(format!(
                "there are {count} {} pieces: expected {N_PIECES}",
                letter(side)
            )));
        }
    }
    Ok(Pieces::new(sets[0], sets[1]))
}

/// The position string.
fn format_fen(position: &Position) -> String {
    let cells = cells(position);
    let ranks: Vec<String> = cells.chunks(SIDE.into()).map(format_rank).collect();
    format!(
        "{} {} {}",
        ranks.join("/"),
        letter(position.side),
        position.passes
    )
}

/// Reads a position string.
fn parse_fen(text: &str) -> Result<Position, Rejection> {
    let fields: Vec<&str> = text.split(' ').collect();
    let [ranks, side, passes] = fields[..] else {
        return Err(Rejection(format!(
            "found {} fields: expected ranks, player to move and passes, as in sssss/s3s/5/o3o/ooooo o 0",
            fields.len()
        )));
    };
    Ok(Position {
        pieces: parse_ranks(ranks)?,
        side: parse_side(side)?,
        passes: parse_passes(passes)?,
    })
}

fn format_rank(cells: &[Cell]) -> String {
    let runs = cells.chunk_by(|one, other| one.is_none() && other.is_none());
    runs.map(|run| match run[0] {
        Some(side) => letter(side).to_string(),
        None => run.len().to_string(),
    })
    .collect()
}

fn parse_ranks(text: &str) -> Result<Pieces, Rejection> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != usize::from(SIDE) {
        return Err(Rejection(format!(
            "found {} ranks: expected {SIDE}",
            ranks.len()
        )));
    }
    let mut cells = Vec::new();
    for (rank, number) in ranks.into_iter().zip((1..=SIDE).rev()) {
        let named =
            |Rejection(why)| Rejection(format!("rank {number} ({:?}) {why}", excerpt(rank)));
        cells.extend(parse_rank(rank).map_err(named)?);
    }
    place(&cells)
}

/// The squares of one rank; a refusal goes on from its name.
fn parse_rank(text: &str) -> Result<Vec<Cell>, Rejection> {
    let mut cells = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (word, tail) = rest.split_at(n_digits.max(first.len_utf8()));
        cells.extend(parse_run(word)?);
        rest = tail;
    }
    if cells.len() != usize::from(SIDE) {
        return Err(Rejection(format!(
            "has {} squares: expected {SIDE}",
            cells.len()
        )));
    }
    Ok(cells)
}

/// A piece, or the empty squares that a number stands for.
fn parse_run(word: &str) -> Result<impl Iterator<Item = Cell>, Rejection> {
    let (cell, len) = match word.as_bytes() {
        b"o" => (Some(Side::P1), 1),
        b"s" => (Some(Side::P2), 1),
        [digit @ b'1'..=b'5'] => (None, digit - b'0'),
        _ => {
            return Err(Rejection(format!(
                "holds {:?}: expected s, o or a number from 1 to {SIDE}",
                excerpt(word)
            )));
        }
    };
    Ok(std::iter::repeat_n(cell, len.into()))
}

fn parse_side(word: &str) -> Result<Side, Rejection> {
    match word {
        "o" => Ok(Side::P1),
        "s" => Ok(Side::P2),
        _ => Err(Rejection(format!(
            "player to move {:?}: expected o or s",
            excerpt(word)
        ))),
    }
}

fn parse_passes(word: &str) -> Result<u8, Rejection> {
    let counts = 0..=PASSES_TO_DRAW;
    counts
        .into_iter()
        .find(|passes| passes.to_string() == word)
        .ok_or_else(|| Rejection(format!("passes {:?}: expected 0, 1 or 2", excerpt(word))))
}
