//! A second, simple implementation of SUSAN: a map from coordinates to letters, without any tables.

use std::collections::BTreeMap;

/// Row from the top, and half columns from the left. The order of the map is the order of the cells.
type Point = (i32, i32);

/// The six directions to a neighbour.
const STEPS: [Point; 6] = [(-1, -1), (-1, 1), (0, -2), (0, 2), (1, -1), (1, 1)];

/// A game in progress.
#[derive(Debug, Clone)]
pub(crate) struct Naive {
    size: i32,
    slide_limit: usize,
    repetition: Option<usize>,
    board: BTreeMap<Point, char>,
    codes: BTreeMap<Point, String>,
    turn: char,
    slides: usize,
    /// All boards from the first one on, each with the side to move.
    seen: Vec<(BTreeMap<Point, char>, char)>,
}

impl Naive {
    pub(crate) fn new(size: i32, slide_limit: usize, repetition: Option<usize>) -> Naive {
        let mut board = BTreeMap::new();
        let mut codes = BTreeMap::new();
        for row in 0..2 * size - 1 {
            let length = if row < size {
                size + row
            } else {
                3 * size - 2 - row
            };
            for k in 0..length {
                let point = (row, 2 * size - 1 - length + 2 * k);
                board.insert(point, '.');
                codes.insert(point, format!("{}{}", (b'a' + row as u8) as char, k + 1));
            }
        }
        let seen = vec![(board.clone(), 'x')];
        Naive {
            size,
            slide_limit,
            repetition,
            board,
            codes,
            turn: 'x',
            slides: 0,
            seen,
        }
    }

    pub(crate) fn turn(&self) -> char {
        self.turn
    }

    /// The winner's letter, or `draw`; empty while the game is not over.
    pub(crate) fn result(&self) -> String {
        let idle = if self.turn == 'x' { 'o' } else { 'x' };
        let now = self.seen.last();
        let times = || self.seen.iter().filter(|then| Some(*then) == now).count();
        let is_repeated = self.repetition.is_some_and(|n| times() >= n);
        let is_slid = self.slide_limit != 0 && self.slides >= self.slide_limit;
        if self.has_surrounded(idle) {
            self.turn.to_string()
        } else if self.has_surrounded(self.turn) {
            idle.to_string()
        } else if is_slid || is_repeated {
            "draw".to_owned()
        } else {
            String::new()
        }
    }

    fn has_surrounded(&self, player: char) -> bool {
        let stones = self
            .board
            .keys()
            .filter(|point| self.board[point] == player);
        stones
            .into_iter()
            .any(|&point| self.holes(point).is_empty())
    }

    /// The empty neighbours of a cell, in the order of the cells.
    fn holes(&self, (row, column): Point) -> Vec<Point> {
        let around = STEPS.map(|(down, right)| (row + down, column + right));
        around
            .into_iter()
            .filter(|point| self.board.get(point) == Some(&'.'))
            .collect()
    }

    /// The codes of the legal moves, in order.
    pub(crate) fn moves(&self) -> Vec<String> {
        if !self.result().is_empty() {
            return Vec::new();
        }
        let on = |letter| {
            self.board
                .keys()
                .copied()
                .filter(move |point| self.board[point] == letter)
        };
        let mut moves: Vec<String> = on('.').map(|point| self.codes[&point].clone()).collect();
        for from in on(self.turn) {
            for to in self.holes(from) {
                moves.push(format!("{}->{}", self.codes[&from], self.codes[&to]));
            }
        }
        moves
    }

    pub(crate) fn play(&mut self, code: &str) {
        let point = |code: &str| {
            let named = self.codes.iter().find(|(_, name)| *name == code);
            *named.expect("a cell's code").0
        };
        let (from, to) = match code.split_once("->") {
            Some((from, to)) => (Some(point(from)), point(to)),
            None => (None, point(code)),
        };
        self.board.insert(to, self.turn);
        self.slides += 1;
        match from {
            Some(from) => self.board.insert(from, '.'),
            None => {
                self.slides = 0;
                None
            }
        };
        self.turn = if self.turn == 'x' { 'o' } else { 'x' };
        self.seen.push((self.board.clone(), self.turn));
    }

    /// The position string.
    pub(crate) fn text(&self) -> String {
        let row = |row| {
            let cells = self.board.range((row, 0)..(row + 1, 0));
            kit::fen::format_row(cells.map(|(_, &letter)| (letter != '.').then_some(letter)))
        };
        let rows: Vec<String> = (0..2 * self.size - 1).map(row).collect();
        format!("{} {} {}", rows.join("/"), self.turn, self.slides)
    }
}
