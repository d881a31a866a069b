//! A second, slow implementation of the rules: piles by square name, real stacks of the pieces off the board, moves as
//! text, no caches.

use std::collections::BTreeMap;

/// Colour, `r` or `y`, and size.
type Piece = (char, u8);

#[derive(Clone)]
pub(crate) struct Naive {
    width: usize,
    /// The pieces on each square from the bottom up.
    piles: BTreeMap<String, Vec<Piece>>,
    /// The pieces off the board by colour, each stack from the bottom up.
    stacks: BTreeMap<char, Vec<Vec<u8>>>,
    mover: char,
    /// All positions so far, as text.
    past: Vec<String>,
}

impl Naive {
    /// Reads a valid position string.
    pub(crate) fn new(text: &str) -> Naive {
        let (ranks, mover) = text.split_once(' ').unwrap();
        let ranks: Vec<&str> = ranks.split('/').collect();
        let width = ranks.len();
        let stacks = match width {
            3 => vec![vec![1], vec![1], vec![2], vec![2], vec![3], vec![3]],
            _ => vec![vec![1, 2, 3, 4]; 3],
        };
        let mut naive = Naive {
            width,
            piles: BTreeMap::new(),
            stacks: BTreeMap::from([('r', stacks.clone()), ('y', stacks)]),
            mover: mover.parse().unwrap(),
            past: Vec::new(),
        };
        for (rank, squares) in (1..=width).rev().zip(ranks) {
            for (file, word) in ('a'..='d').zip(squares.split(',')) {
                naive.piles.insert(format!("{file}{rank}"), pile(word));
            }
        }
        let mut placed: Vec<Piece> = naive.piles.values().flatten().copied().collect();
        placed.sort_by_key(|&(_, size)| std::cmp::Reverse(size));
        for (colour, size) in placed {
            naive.take(colour, size);
        }
        naive.past.push(naive.text());
        naive
    }

    pub(crate) fn mover(&self) -> char {
        self.mover
    }

    /// `r`, `y` or `draw`; empty while the game is not over.
    pub(crate) fn result(&self) -> &'static str {
        let now = self.text();
        let word = |colour| if colour == 'r' { "r" } else { "y" };
        if self.has_line(self.mover) {
            word(self.mover)
        } else if self.has_line(enemy(self.mover)) {
            word(enemy(self.mover))
        } else if self.past.iter().filter(|&text| *text == now).count() >= 3 {
            "draw"
        } else {
            ""
        }
    }

    pub(crate) fn moves(&self) -> Vec<String> {
        let mut codes = Vec::new();
        if !self.result().is_empty() {
            return codes;
        }
        let shown = |size| {
            self.stacks[&self.mover]
                .iter()
                .any(|stack| stack.last() == Some(size))
        };
        for size in [4, 3, 2, 1].iter().filter(|size| shown(size)) {
            for to in self.names() {
                if self.can_land(*size, &to) && self.may_be_placed_on(&to) {
                    codes.push(format!("{size}@{to}"));
                }
            }
        }
        for from in self.names() {
            for to in self.names() {
                if let Some((colour, size)) = self.top(&from)
                    && colour == self.mover
                    && self.can_land(size, &to)
                {
                    codes.push(format!("{from}-{to}"));
                }
            }
        }
        codes
    }

    pub(crate) fn play(&mut self, code: &str) {
        let (piece, to) = match code.split_once('-') {
            Some((from, to)) => (self.piles.get_mut(from).unwrap().pop().unwrap(), to),
            None => {
                let (size, to) = code.split_once('@').unwrap();
                let size = size.parse().unwrap();
                self.take(self.mover, size);
                ((self.mover, size), to)
            }
        };
        self.piles.get_mut(to).unwrap().push(piece);
        self.mover = enemy(self.mover);
        self.past.push(self.text());
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for rank in (1..=self.width).rev() {
            for file in ('a'..='d').take(self.width) {
                let pile = &self.piles[&format!("{file}{rank}")];
                if pile.is_empty() {
                    text += ".";
                }
                for (colour, size) in pile {
                    text += &format!("{colour}{size}");
                }
                text += ",";
            }
            text.pop();
            text += "/";
        }
        text.pop();
        format!("{text} {}", self.mover)
    }

    /// Takes a piece from the top of a stack.
    fn take(&mut self, colour: char, size: u8) {
        let stacks = self.stacks.get_mut(&colour).unwrap();
        let stack = stacks.iter_mut().find(|stack| stack.last() == Some(&size));
        stack.unwrap().pop();
    }

    /// Squares in canonical order.
    fn names(&self) -> Vec<String> {
        let files = || ('a'..='d').take(self.width);
        let rank = |rank| files().map(move |file| format!("{file}{rank}"));
        (1..=self.width).flat_map(rank).collect()
    }

    fn top(&self, at: &str) -> Option<Piece> {
        self.piles[at].last().copied()
    }

    fn can_land(&self, size: u8, to: &str) -> bool {
        self.top(to).is_none_or(|(_, below)| below < size)
    }

    /// The placement rule, regardless of sizes.
    fn may_be_placed_on(&self, to: &str) -> bool {
        let Some((colour, _)) = self.top(to) else {
            return true;
        };
        let shows_enemy = |at: &&String| self.top(at).is_some_and(|(c, _)| c == enemy(self.mover));
        let is_threatened = |line: &Vec<String>| {
            line.iter().any(|at| at == to) && line.iter().filter(shows_enemy).count() == 3
        };
        self.width == 3 || colour != self.mover && self.lines().iter().any(is_threatened)
    }

    fn has_line(&self, colour: char) -> bool {
        let shows = |at: &String| self.top(at).is_some_and(|(c, _)| c == colour);
        self.lines().iter().any(|line| line.iter().all(shows))
    }

    fn lines(&self) -> Vec<Vec<String>> {
        let files: Vec<char> = ('a'..='d').take(self.width).collect();
        let ranks: Vec<usize> = (1..=self.width).collect();
        let row = |rank| files.iter().map(|file| format!("{file}{rank}")).collect();
        let column = |file| ranks.iter().map(|rank| format!("{file}{rank}")).collect();
        let mut lines: Vec<Vec<String>> = ranks.iter().map(row).collect();
        lines.extend(files.iter().map(column));
        let diagonal = || files.iter().zip(&ranks);
        let rising = diagonal().map(|(file, rank)| format!("{file}{rank}"));
        let falling = diagonal().map(|(file, rank)| format!("{file}{}", self.width + 1 - rank));
        lines.push(rising.collect());
        lines.push(falling.collect());
        lines
    }
}

/// The pieces of a square's word in a position string.
fn pile(word: &str) -> Vec<Piece> {
    let chars: Vec<char> = word.chars().collect();
    let pairs = chars.chunks_exact(2);
    pairs
        .map(|pair| (pair[0], pair[1].to_digit(10).unwrap() as u8))
        .collect()
}

fn enemy(colour: char) -> char {
    if colour == 'r' { 'y' } else { 'r' }
}
