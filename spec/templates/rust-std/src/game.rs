//! Sticks: there are 21, each turn takes 1, 2 or 3, and the player who takes the last one wins.
//! A move is the number to take. A position is the sticks left and the player to move: `21 p1`.

use crate::{quote, Search};

pub const NAME: &str = "Sticks in Rust";
pub const AUTHOR: &str = "Linesman";
pub const OPTIONS: &[&str] = &["option name Sticks type spin default 21 min 1 max 99"];

pub struct Game {
    n_sticks: u8, // the option
    sticks: u8,   // the position
    player: usize,
}

impl Game {
    pub fn new() -> Game {
        Game { n_sticks: 21, sticks: 21, player: 1 }
    }

    /// The player to move and the legal moves.
    pub fn to_move(&mut self) -> Result<(usize, Vec<String>), String> {
        Ok((self.player, legal(self.sticks).map(|n| n.to_string()).collect()))
    }

    /// Carries out `setoption`, `uginewgame`, `position` or `query`. Returns the lines of the answer.
    pub fn answer(&mut self, words: &[String]) -> Result<Vec<String>, String> {
        let words: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[0] {
            "setoption" => self.set_option(&words[1..]),
            "query" => return self.query(&words[1..]),
            "uginewgame" => self.position(&["startpos"]),
            _ => self.position(&words[1..]),
        }?;
        Ok(Vec::new())
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), String> {
        let value = match words {
            ["name", "sticks", "value", value] => value.parse().ok().filter(|value| (1..=99).contains(value)),
            _ => None,
        };
        self.n_sticks = value.ok_or("setoption: expected name Sticks value, and a number from 1 to 99")?;
        Ok(())
    }

    fn position(&mut self, words: &[&str]) -> Result<(), String> {
        let (mut left, mut player, rest) = match words {
            ["startpos", rest @ ..] => (self.n_sticks, 1, rest),
            ["fen", left, "p1", rest @ ..] => (parse_sticks(left)?, 1, rest),
            ["fen", left, "p2", rest @ ..] => (parse_sticks(left)?, 2, rest),
            _ => return Err("position: expected startpos or the like of fen 21 p1".to_owned()),
        };
        let moves = match rest {
            [] => &[],
            ["moves", moves @ ..] => moves,
            [word, ..] => return Err(format!("{}: expected moves or the end of the line", quote(word))),
        };
        for word in moves {
            let taken = legal(left).find(|taken| taken.to_string() == *word);
            left -= taken.ok_or_else(|| format!("{}: expected 1, 2 or 3, no more than are left", quote(word)))?;
            player = 3 - player;
        }
        (self.sticks, self.player) = (left, player); // only now: a line with an error changes nothing
        Ok(())
    }

    fn query(&self, words: &[&str]) -> Result<Vec<String>, String> {
        let answer = match words.first().copied().unwrap_or_default() {
            "p1turn" => (self.player == 1).to_string(),
            "gameover" => (self.sticks == 0).to_string(),
            "result" if self.sticks > 0 => "none".to_owned(),
            "result" => format!("p{}win", 3 - self.player),
            "moves" => legal(self.sticks).map(|n| n.to_string()).collect::<Vec<_>>().join(" "),
            "fen" => format!("{} p{}", self.sticks, self.player),
            "game" => "sticks".to_owned(),
            _ => return Err("query: expected p1turn, gameover, result, moves, fen or game".to_owned()),
        };
        let surplus = words.get(1).map(|word| format!("info error surplus word {}: expected none", quote(word)));
        Ok(surplus.into_iter().chain([format!("response {answer}").trim_end().to_owned()]).collect())
    }

    /// Returns the depth searched and the best of these moves: deeper and deeper, until it must stop or a win is found.
    pub fn search(&mut self, moves: &[String], search: &mut Search) -> (u32, String) {
        let moves = best_first(self.sticks, moves.iter().filter_map(|code| code.parse().ok()));
        let (mut depth, mut best) = (0, moves[0]);
        while f64::from(depth) < search.depth.min(self.sticks.into()) && !search.is_stopped {
            depth += 1;
            let value_of = |taken: &u8| (-negamax(self.sticks - taken, depth - 1, search), *taken);
            let values: Vec<(i8, u8)> = moves.iter().map(value_of).collect();
            if search.is_stopped {
                break; // this depth is incomplete
            }
            let value = values.iter().map(|(value, _)| *value).max().unwrap_or_default();
            best = values.iter().find(|(own, _)| *own == value).map_or(best, |(_, taken)| *taken);
            search.report(depth, &best.to_string());
            if value != 0 {
                break;
            }
        }
        (depth.max(1), best.to_string())
    }
}

fn parse_sticks(word: &str) -> Result<u8, String> {
    let is_number = word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    let sticks = word.parse().ok().filter(|_| is_number);
    sticks.ok_or_else(|| format!("{}: expected 0 to 99 sticks", quote(word)))
}

fn legal(left: u8) -> impl Iterator<Item = u8> {
    1..=left.min(3)
}

/// A player to move at a multiple of four loses.
fn best_first(left: u8, moves: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut moves: Vec<u8> = moves.collect();
    moves.sort_by_key(|taken| (left - taken) % 4 != 0);
    moves
}

/// Returns 1 if the player to move wins, -1 if the other one does, 0 if that is deeper.
fn negamax(left: u8, depth: u32, search: &mut Search) -> i8 {
    if left == 0 {
        return -1;
    }
    if search.must_stop() || depth == 0 {
        return 0;
    }
    let mut best = -1;
    for taken in best_first(left, legal(left)) {
        best = best.max(-negamax(left - taken, depth - 1, search));
        if best == 1 {
            break;
        }
    }
    best
}
