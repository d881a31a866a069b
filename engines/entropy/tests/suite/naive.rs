//! A second, slow implementation of the rules: a grid of characters, moves as text, no caches.

/// Rank by rank from the bottom; `.`, `o` or `s`.
type Grid = [[char; 5]; 5];

/// File and rank, from 0.
type At = (usize, usize);

#[derive(Clone)]
pub(crate) struct Naive {
    is_apart: bool,
    grid: Grid,
    mover: char,
    passes: u32,
    /// All grids so far, each with the side to move.
    past: Vec<(Grid, char)>,
}

impl Naive {
    /// Reads a valid position string.
    pub(crate) fn new(is_apart: bool, text: &str) -> Naive {
        let mut grid = [['.'; 5]; 5];
        let (ranks, rest) = text.split_once(' ').unwrap();
        for (down, rank) in ranks.split('/').enumerate() {
            let mut file = 0;
            for c in rank.chars() {
                match c.to_digit(10) {
                    Some(n) => file += n as usize,
                    None => {
                        grid[4 - down][file] = c;
                        file += 1;
                    }
                }
            }
        }
        let (mover, passes) = rest.split_once(' ').unwrap();
        let mover = mover.chars().next().unwrap();
        Naive {
            is_apart,
            grid,
            mover,
            passes: passes.parse().unwrap(),
            past: vec![(grid, mover)],
        }
    }

    pub(crate) fn mover(&self) -> char {
        self.mover
    }

    /// `o`, `s` or `draw`; empty while the game is not over.
    pub(crate) fn result(&self) -> &'static str {
        let stands = |&&(grid, mover): &&(Grid, char)| grid == self.grid && mover == self.mover;
        match (self.has_reached_goal('o'), self.has_reached_goal('s')) {
            (true, true) => "draw",
            (true, false) => "o",
            (false, true) => "s",
            _ if self.passes == 2 || self.past.iter().filter(stands).count() >= 3 => "draw",
            _ => "",
        }
    }

    pub(crate) fn moves(&self) -> Vec<String> {
        if !self.result().is_empty() {
            return Vec::new();
        }
        let mut codes = Vec::new();
        for from in all() {
            for to in all() {
                if self.is_legal(from, to) {
                    codes.push(format!("{}-{}", name(from), name(to)));
                }
            }
        }
        if codes.is_empty() {
            codes.push("pass".to_owned());
        }
        codes
    }

    pub(crate) fn play(&mut self, code: &str) {
        match code.split_once('-') {
            Some((from, to)) => {
                self.grid = moved(&self.grid, at(from), at(to));
                self.passes = 0;
            }
            None => self.passes += 1,
        }
        self.mover = enemy(self.mover);
        self.past.push((self.grid, self.mover));
    }

    pub(crate) fn text(&self) -> String {
        let piece = |letter| (letter != '.').then_some(letter);
        let ranks = self.grid.iter().rev();
        let ranks: Vec<String> = ranks
            .map(|rank| kit::fen::format_row(rank.map(piece)))
            .collect();
        format!("{} {} {}", ranks.join("/"), self.mover, self.passes)
    }

    /// The conditions of the rules in their order, for one piece and one square.
    fn is_legal(&self, from: At, to: At) -> bool {
        self.stands(from) == self.mover
            && n_around(&self.grid, from, self.mover) > 0
            && self.can_slide(from, to)
            && self.clears_every_check(from, to)
    }

    fn can_slide(&self, from: At, to: At) -> bool {
        for files in -1i32..=1 {
            for ranks in -1i32..=1 {
                let mut here = (from.0 as i32 + files, from.1 as i32 + ranks);
                while (files, ranks) != (0, 0)
                    && (0..5).contains(&here.0)
                    && (0..5).contains(&here.1)
                    && self.stands((here.0 as usize, here.1 as usize)) == '.'
                {
                    if here == (to.0 as i32, to.1 as i32) {
                        return true;
                    }
                    here = (here.0 + files, here.1 + ranks);
                }
            }
        }
        false
    }

    fn clears_every_check(&self, from: At, to: At) -> bool {
        let after = moved(&self.grid, from, to);
        let is_alone =
            |grid: &Grid, square| n_around(grid, square, 'o') + n_around(grid, square, 's') == 0;
        all()
            .filter(|&square| self.stands(square) == self.mover && is_alone(&self.grid, square))
            .all(|square| !is_alone(&after, square))
    }

    fn has_reached_goal(&self, player: char) -> bool {
        all()
            .filter(|&square| self.stands(square) == player)
            .all(|square| {
                n_around(&self.grid, square, player) == 0
                    && (self.is_apart || n_around(&self.grid, square, enemy(player)) > 0)
            })
    }

    fn stands(&self, (file, rank): At) -> char {
        self.grid[rank][file]
    }
}

/// Squares in canonical order.
fn all() -> impl Iterator<Item = At> {
    (0..25).map(|n| (n % 5, n / 5))
}

/// Number of a player's pieces around a square.
fn n_around(grid: &Grid, (file, rank): At, player: char) -> usize {
    let is_near =
        |(f, r): At| f.abs_diff(file) <= 1 && r.abs_diff(rank) <= 1 && (f, r) != (file, rank);
    all()
        .filter(|&(f, r)| is_near((f, r)) && grid[r][f] == player)
        .count()
}

fn moved(grid: &Grid, from: At, to: At) -> Grid {
    let mut grid = *grid;
    grid[to.1][to.0] = std::mem::replace(&mut grid[from.1][from.0], '.');
    grid
}

fn enemy(player: char) -> char {
    if player == 'o' { 's' } else { 'o' }
}

fn name((file, rank): At) -> String {
    let files = ["a", "b", "c", "d", "e"];
    format!("{}{}", files[file], rank + 1)
}

fn at(name: &str) -> At {
    all().find(|&square| self::name(square) == name).unwrap()
}
