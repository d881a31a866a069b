//! A board that knows what XBoard knows: holes, pieces, holdings and the side to move, but no rules. It panics with the
//! move where XBoard would capture a piece or lose one.

use std::collections::BTreeMap;

/// A position as XBoard stores it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Board {
    /// Shape: ranks from the top; `*` is a hole, `.` an empty square.
    ranks: Vec<Vec<char>>,
    /// Number of each piece in hand; `None` on a board without holdings.
    held: Option<BTreeMap<char, usize>>,
    is_white_to_move: bool,
}

impl Board {
    /// The board of a `setup` line.
    pub(super) fn of_setup(setup: &str) -> Board {
        let words: Vec<&str> = setup.split(' ').collect();
        let [_, table, size, placement, side, ..] = words[..] else {
            panic!("{setup}");
        };
        assert!(table.len() % 2 == 0 && table.len() >= 14, "{table}");
        let (size, parent) = size.split_once('_').expect("a parent variant");
        assert_eq!(parent, "fairy");
        let (files, rest) = size.split_once('x').expect("files");
        let (ranks, n_held) = rest.split_once('+').expect("ranks and holdings");
        let [files, ranks, n_held] = [files, ranks, n_held].map(|n| n.parse::<usize>().unwrap());
        assert!(files + 4 * usize::from(n_held > 0) <= 16 && n_held <= ranks);
        let (rows, held) = match placement.split_once('[') {
            None => (placement, None),
            Some((rows, held)) => (rows, Some(held.trim_end_matches(']'))),
        };
        assert_eq!(held.is_some(), n_held > 0, "{setup}");
        let board = Board {
            ranks: rows.split('/').map(|row| read_row(row, table)).collect(),
            held: held.map(count),
            is_white_to_move: side == "w",
        };
        assert_eq!(board.ranks.len(), ranks, "{setup}");
        assert!(board.ranks.iter().all(|row| row.len() == files), "{setup}");
        board
    }

    pub(super) fn is_white_to_move(&self) -> bool {
        self.is_white_to_move
    }

    /// Moves pieces as XBoard does with a move of an engine.
    pub(super) fn apply(&mut self, mv: &str) {
        if mv != "@@@@" {
            match mv.split_once('@') {
                Some((piece, to)) => self.drop_piece(piece, to),
                None => self.step(mv),
            }
        }
        self.is_white_to_move = !self.is_white_to_move;
    }

    fn drop_piece(&mut self, piece: &str, to: &str) {
        let capital = piece.parse::<char>().expect("one letter");
        assert!(capital.is_ascii_uppercase(), "{piece}@{to}");
        let piece = match self.is_white_to_move {
            true => capital,
            false => capital.to_ascii_lowercase(),
        };
        let held = self.held.as_mut().expect("holdings");
        let left = held.get_mut(&piece).expect("a piece that is held");
        *left = left.checked_sub(1).expect("one that is left");
        let square = self.square(to);
        assert_eq!(*square, '.', "{piece}@{to} on a piece or a hole");
        *square = piece;
    }

    fn step(&mut self, mv: &str) {
        let split = 1 + mv[1..]
            .find(|sign: char| sign.is_ascii_lowercase())
            .expect("two squares");
        let (from, to) = mv.split_at(split);
        let is_white = self.is_white_to_move;
        let piece = std::mem::replace(self.square(from), '.');
        assert!(piece.is_ascii_alphabetic(), "{mv}: no piece");
        assert_eq!(
            piece.is_ascii_uppercase(),
            is_white,
            "{mv}: the other's piece"
        );
        let square = self.square(to);
        assert_eq!(*square, '.', "{mv} takes a piece or enters a hole");
        *square = piece;
    }

    /// Ranks are numbered from 1, or from 0 if there are exactly ten.
    fn square(&mut self, name: &str) -> &mut char {
        let file = usize::from(name.as_bytes()[0] - b'a');
        let number: usize = name[1..].parse().unwrap_or_else(|_| panic!("{name}"));
        let n_ranks = self.ranks.len();
        let rank = if n_ranks == 10 { number } else { number - 1 };
        &mut self.ranks[n_ranks - 1 - rank][file]
    }

    /// The placement that XBoard sends with `setboard`.
    pub(super) fn fen(&self) -> String {
        let rows: Vec<String> = self.ranks.iter().map(|row| write_row(row)).collect();
        let held = self.held.as_ref().map_or_else(String::new, |held| {
            let pieces = held.iter().map(|(piece, n)| piece.to_string().repeat(*n));
            let pieces: String = pieces.collect();
            let pieces = if pieces.is_empty() { "-" } else { &pieces };
            format!("[{pieces}]")
        });
        let side = if self.is_white_to_move { 'w' } else { 'b' };
        format!("{}{held} {side} - - 0 1", rows.join("/"))
    }
}

fn read_row(row: &str, table: &str) -> Vec<char> {
    let mut squares = Vec::new();
    let mut run = 0;
    for sign in row.chars() {
        if let Some(digit) = sign.to_digit(10) {
            run = 10 * run + digit as usize;
            continue;
        }
        squares.extend(std::iter::repeat_n('.', std::mem::take(&mut run)));
        assert!(
            sign == '*' || table.contains(sign),
            "{sign} is not in {table}"
        );
        squares.push(sign);
    }
    squares.extend(std::iter::repeat_n('.', run));
    squares
}

fn write_row(row: &[char]) -> String {
    let mut text = String::new();
    for squares in row.chunk_by(|a, b| a == b) {
        match squares[0] {
            '.' => text.push_str(&squares.len().to_string()),
            _ => text.extend(squares),
        }
    }
    text
}

fn count(held: &str) -> BTreeMap<char, usize> {
    let mut counts = BTreeMap::new();
    for piece in held.chars().filter(|piece| *piece != '-') {
        *counts.entry(piece).or_insert(0) += 1;
    }
    counts
}
