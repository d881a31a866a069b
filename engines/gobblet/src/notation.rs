//! Move codes and position strings: `3@b2`, `.,.,./.,r1y3,./.,.,. r`.
//!
//! A position string lists ranks from the top, squares from the left, pieces from the bottom up, then the side to move.
//! Reading is strict and rejects piece counts that no game can reach. Drawn boards are written by `diagram` and read by
//! `drawn_fen`.

use draw::Board;
use draw::grid::DrawnBoard;
use kit::notation::excerpt;
use kit::{DrawRequest, Notation, Outcome, Rejection, Setup, Side, fen};

use crate::diagram;
use crate::pieces::{Pieces, Size, Square};
use crate::position::{Gobblet, Move, Origin, Position, SIZE, colour};

/// The letters of the players' pieces.
const LETTERS: [char; 2] = ['r', 'y'];

/// The fields of a position string, for errors.
const FIELDS: &str = "ranks and player to move, as in .,.,./.,r1y3,./.,.,. r";

impl Notation for Gobblet {
    const STYLES: &'static [&'static str] = &[diagram::PEEK];
    const DIAGRAM_STYLES: &'static [&'static str] = &[diagram::PEEK];
    const READABLE_STYLES: &'static [&'static str] = &[diagram::PEEK];

    fn shape(&self) -> Vec<(&'static str, String)> {
        vec![(SIZE, self.board.width.to_string())]
    }

    fn format_move(&self, _: &Position, mv: Move) -> String {
        match mv.from {
            Origin::Reserve(size) => format!("{size}@{}", mv.to),
            Origin::Square(from) => format!("{from}-{}", mv.to),
        }
    }

    fn parse_move(&self, _: &Position, code: &str) -> Result<Move, Rejection> {
        let (from, to) = if let Some((size, to)) = code.split_once('@') {
            (Origin::Reserve(self.parse_size(size)?), to)
        } else if let Some((from, to)) = code.split_once('-') {
            (Origin::Square(self.parse_square(from)?), to)
        } else {
            return Err("expected a placement such as 3@b2 or a move such as a1-b2".into());
        };
        let to = self.parse_square(to)?;
        Ok(Move { from, to })
    }

    fn format_position(&self, position: &Position) -> String {
        let piece = |(side, size)| format!("{}{size}", letter(side));
        let pile = |square| match position.pieces.pile(square).map(piece).collect::<String>() {
            pile if pile.is_empty() => ".".to_owned(),
            pile => pile,
        };
        let width = self.board.width;
        let piles: Vec<String> = Square::from_the_top(width).map(pile).collect();
        let ranks = piles.chunks(width.into()).map(|rank| rank.join(","));
        let ranks: Vec<String> = ranks.collect();
        format!("{} {}", ranks.join("/"), letter(position.side))
    }

    fn parse_position(&self, text: &str) -> Result<Setup<Gobblet>, Rejection> {
        let [ranks, mover] = fen::fields(text, FIELDS)?;
        let n_ranks = ranks.split('/').count();
        if !(3..=4).contains(&n_ranks) {
            let found = fen::counted(n_ranks, "rank");
            return Err(format!("{found}: expected 3 or 4, split by /").into());
        }
        let width = n_ranks as u8;
        let game = match width == self.board.width {
            true => self.clone(),
            false => Gobblet::with_width(width),
        };
        let mut pieces = Pieces::default();
        for (rank, text) in (0..width).rev().zip(ranks.split('/')) {
            let words: Vec<&str> = text.split(',').collect();
            if words.len() != usize::from(width) {
                let (number, text) = (rank + 1, excerpt(text));
                let found = fen::counted(words.len(), "square");
                return Err(Rejection(format!(
                    "rank {number} {text:?} has {found}: expected {width}, split by commas"
                )));
            }
            for (file, word) in (0..width).zip(words) {
                game.parse_pile(Square::at(file, rank), word, &mut pieces)?;
            }
        }
        for side in Side::BOTH {
            game.check_counts(pieces, side)?;
        }
        let position = Position {
            pieces,
            side: fen::parse_side(mover, LETTERS)?,
            reversible: 0,
        };
        Ok(Setup::at((game, position)))
    }

    /// If no side to move is named, red is to move.
    fn drawn_fen(&self, board: &DrawnBoard) -> Result<String, Rejection> {
        board.refuse_finished()?;
        let ranks: Vec<String> = board.rows.iter().map(|squares| squares.join(",")).collect();
        let mover = letter(Side::BOTH[board.turn.unwrap_or(0)]);
        let fen = format!("{} {mover}", ranks.join("/"));
        let Setup { game, position, .. } = self.parse_position(&fen)?;
        for side in Side::BOTH {
            let reserve = board.below.iter().find_map(|line| {
                let (name, sizes) = line.split_once(diagram::OFF_BOARD)?;
                name.starts_with(colour(side)).then_some(sizes)
            });
            if let Some(sizes) = reserve {
                game.check_reserve(position.pieces, side, sizes)?;
            }
        }
        Ok(fen)
    }

    fn side_name(&self, _: &Position, side: Side) -> String {
        colour(side).to_owned()
    }

    fn explain(&self, position: &Position, outcome: Option<Outcome>) -> Option<String> {
        Some(match outcome? {
            Outcome::Win(side) => {
                let line = diagram::line_of(self, position, side).unwrap_or_default();
                format!("{} wins: line {}", colour(side), Square::names(line))
            }
            Outcome::Draw => "draw: third occurrence of this position".to_owned(),
        })
    }

    fn board(&self, request: &DrawRequest<Gobblet>) -> Board {
        diagram::board(self, request)
    }
}

impl Gobblet {
    fn parse_size(&self, word: &str) -> Result<Size, Rejection> {
        let (word, largest) = (word.trim(), self.largest());
        let size = word.parse().ok().filter(|_| word.len() == 1);
        let size = size.filter(|size| (1..=largest).contains(size));
        size.ok_or_else(|| {
            let word = excerpt(word);
            format!("no piece has size {word:?}: expected 1 to {largest}").into()
        })
    }

    fn parse_square(&self, word: &str) -> Result<Square, Rejection> {
        Square::parse(word, self.board.width)
    }

    /// Reads `.`, or pieces from the bottom up.
    fn parse_pile(&self, at: Square, word: &str, pieces: &mut Pieces) -> Result<(), Rejection> {
        if word == "." {
            return Ok(());
        }
        let largest = self.largest();
        let expected = format!("expected . or pieces, each r or y and a size from 1 to {largest}");
        let wrong = |what: &str| Rejection(format!("{:?} on {at}: {what}", excerpt(word)));
        let (pairs, rest) = word.as_bytes().as_chunks::<2>();
        let pile = pairs.iter().map(|&pair| parse_piece(pair, largest));
        let pile: Option<Vec<(Side, Size)>> = pile.collect();
        let pile = pile.filter(|pile| !pile.is_empty() && rest.is_empty());
        let pile = pile.ok_or_else(|| wrong(&expected))?;
        if !pile.is_sorted_by(|(_, below), (_, above)| below < above) {
            return Err(wrong(
                "a piece covers only smaller ones, from the bottom up",
            ));
        }
        for (side, size) in pile {
            pieces.put(side, size, at);
        }
        Ok(())
    }

    /// Checks that there are no more pieces of a size than exist and, with stacks, no more than of the next larger size.
    fn check_counts(&self, pieces: Pieces, side: Side) -> Result<(), Rejection> {
        let (colour, most) = (colour(side), self.n_each());
        // The next larger size cannot have fewer pieces; the largest has as many as exist.
        let mut n_larger = most;
        for size in (1..=self.largest()).rev() {
            let n = pieces.count(side, size);
            let found = fen::counted(n as usize, "piece");
            if n > most {
                return Err(Rejection(format!(
                    "{colour} has {found} of size {size}: expected at most {most}"
                )));
            }
            if self.has_stacks() && n > n_larger {
                let larger = size + 1;
                return Err(Rejection(format!(
                    "{colour} has {found} of size {size} on the board but {n_larger} of size {larger}: \
                     off the board the larger lie on the smaller"
                )));
            }
            n_larger = n;
        }
        Ok(())
    }

    /// Checks the pieces off the board: a piece that is neither there nor visible is covered.
    fn check_reserve(&self, pieces: Pieces, side: Side, sizes: &str) -> Result<(), Rejection> {
        for size in 1..=self.largest() {
            let on = pieces.count(side, size);
            let off = sizes.matches(&size.to_string()).count() as u32;
            let (colour, expected) = (colour(side), self.n_each());
            if on + off != expected {
                let found = fen::counted(on as usize, "piece");
                return Err(Rejection(format!(
                    "{colour} has {found} of size {size} on the board and {off} off it: expected {expected} in all \
                     (the style {} shows covered ones)",
                    diagram::PEEK
                )));
            }
        }
        Ok(())
    }
}

/// The letter of a player's pieces in position strings.
fn letter(side: Side) -> char {
    LETTERS[side.index()]
}

fn parse_piece([letter, size]: [u8; 2], largest: Size) -> Option<(Side, Size)> {
    let side = LETTERS.iter().position(|&own| own == letter.into())?;
    let size = size.wrapping_sub(b'0');
    (1..=largest)
        .contains(&size)
        .then_some((Side::BOTH[side], size))
}
