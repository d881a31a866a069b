//! A second, slow and simple implementation of Projex: geometry by points in the plane, stones in a map, loops by
//! walking through a board of two sheets.

use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Row, and number within the row, both from 1.
pub(crate) type Spot = (i32, i32);

/// A neighbour; the flag is `true` if the step crosses the edge.
pub(crate) type Road = (Spot, bool);

/// A game in progress, as the moves made and the stones on the board.
pub(crate) struct Naive {
    n: i32,
    has_swap: bool,
    /// Every spot with its neighbours.
    roads: BTreeMap<Spot, BTreeSet<Road>>,
    stones: BTreeMap<Spot, char>,
    codes: Vec<String>,
}

impl Naive {
    pub(crate) fn new(n: i32, has_swap: bool) -> Naive {
        Naive {
            n,
            has_swap,
            roads: roads(n),
            stones: BTreeMap::new(),
            codes: Vec::new(),
        }
    }

    /// Player 1 or 2.
    pub(crate) fn player(&self) -> u8 {
        1 + (self.codes.len() % 2) as u8
    }

    /// The winner.
    pub(crate) fn winner(&self) -> Option<u8> {
        let has_won = |&player: &u8| self.has_loop(self.stone_of(player));
        let winners: Vec<u8> = [1, 2].into_iter().filter(has_won).collect();
        assert!(winners.len() < 2, "two winners");
        winners.first().copied()
    }

    /// The legal moves of a game that is not over.
    pub(crate) fn moves(&self) -> Vec<String> {
        let free = |spot: &&Spot| !self.stones.contains_key(spot);
        let mut codes: Vec<String> = self
            .roads
            .keys()
            .filter(free)
            .map(|&s| self.code(s))
            .collect();
        if self.has_swap && self.codes.len() == 3 {
            codes.push("swap".to_owned());
        }
        codes
    }

    pub(crate) fn play(&mut self, code: &str) {
        if code != "swap" {
            let spot = *self
                .roads
                .keys()
                .find(|&&s| self.code(s) == code)
                .expect("a cell");
            self.stones.insert(spot, self.stone_of(self.player()));
        }
        self.codes.push(code.to_owned());
    }

    pub(crate) fn position(&self) -> String {
        let mut text = String::new();
        for row in 1..=2 * self.n - 2 {
            let mut empty = 0;
            for k in 1..=length(self.n, row) {
                if let Some(&stone) = self.stones.get(&(row, k)) {
                    text += &if empty > 0 {
                        empty.to_string()
                    } else {
                        String::new()
                    };
                    text.push(stone);
                    empty = 0;
                } else {
                    empty += 1;
                }
            }
            text += &if empty > 0 {
                empty.to_string()
            } else {
                String::new()
            };
            text += if row == 2 * self.n - 2 { " " } else { "/" };
        }
        let x_owner = if self.is_swapped() { 2 } else { 1 };
        text + &format!("{} {x_owner}", self.stone_of(self.player()))
    }

    fn is_swapped(&self) -> bool {
        self.codes.iter().any(|code| code == "swap")
    }

    fn stone_of(&self, player: u8) -> char {
        if (player == 1) != self.is_swapped() {
            'x'
        } else {
            'o'
        }
    }

    fn code(&self, (row, k): Spot) -> String {
        let letter = if row >= self.n { k } else { k + self.n - row };
        let letter = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
            .chars()
            .nth(letter as usize - 1);
        format!("{}{row}", letter.expect("a letter"))
    }

    /// `true` if there is a path over these stones from a spot to the same spot on the other sheet.
    fn has_loop(&self, stone: char) -> bool {
        let mut seen: HashSet<(Spot, bool)> = HashSet::new();
        for (&start, _) in self.stones.iter().filter(|&(_, &s)| s == stone) {
            if seen.contains(&(start, false)) || seen.contains(&(start, true)) {
                continue;
            }
            let mut walkers = vec![(start, false)];
            while let Some((spot, sheet)) = walkers.pop() {
                if self.stones.get(&spot) == Some(&stone) && seen.insert((spot, sheet)) {
                    walkers.extend(
                        self.roads[&spot]
                            .iter()
                            .map(|&(s, turn)| (s, sheet != turn)),
                    );
                }
            }
            if seen.contains(&(start, true)) {
                return true;
            }
        }
        false
    }
}

fn length(n: i32, row: i32) -> i32 {
    if row <= n {
        n - 2 + row
    } else {
        3 * n - 2 - row
    }
}

/// Neighbours in the plane, and across the edge by its hexagon edges in clockwise order.
pub(crate) fn roads(n: i32) -> BTreeMap<Spot, BTreeSet<Road>> {
    // A spot's centre, in half cells to the right of the board's middle line, and rows.
    let middle = |(row, k): Spot| (2 * k - length(n, row), row);
    let spots: BTreeMap<(i32, i32), Spot> = (1..=2 * n - 2)
        .flat_map(|row| (1..=length(n, row)).map(move |k| (row, k)))
        .map(|spot| (middle(spot), spot))
        .collect();
    let mut roads: BTreeMap<Spot, BTreeSet<Road>> = BTreeMap::new();
    // Edges without a second hexagon: their angle from the middle, and their spot.
    let mut exposed: Vec<(f64, Spot)> = Vec::new();
    for (&(x, y), &spot) in &spots {
        for (dx, dy) in [(2, 0), (-2, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            match spots.get(&(x + dx, y + dy)) {
                Some(&next) => {
                    roads.entry(spot).or_default().insert((next, false));
                }
                None => exposed.push((
                    angle(
                        n,
                        f64::from(x) + f64::from(dx) / 2.0,
                        f64::from(y) + f64::from(dy) / 2.0,
                    ),
                    spot,
                )),
            }
        }
    }
    exposed.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert_eq!(exposed.len() as i32, 12 * n - 12);
    for i in 0..exposed.len() {
        let across = exposed[(i + exposed.len() / 2) % exposed.len()].1;
        roads
            .entry(exposed[i].1)
            .or_default()
            .insert((across, true));
    }
    roads
}

/// The clockwise angle around a point well inside the board; x in half cells, y in rows.
fn angle(n: i32, x: f64, y: f64) -> f64 {
    // The rows above and below row n differ by one in number, so the middle of the board is slightly above it.
    let (right, down) = (x - 1.0, (y - f64::from(n) + 1.0 / 3.0) * 3.0_f64.sqrt());
    down.atan2(right)
}
