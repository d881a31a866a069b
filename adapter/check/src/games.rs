//! Test positions and random games, with or without a bias towards rare situations: by the rules or, if they are unknown, from
//! the engine's answers.

use std::collections::HashSet;

use fastrand::Rng;
use kit::dyn_history::expected_reply;
use kit::{CheckPosition, DynHistory, Outcome as GameOutcome};
use record::opening::source::generator;
use record::registry::Rules;

use crate::case::Case;
use crate::prelude::*;

/// Goal that the moves of a game are chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bias {
    /// None: moves are uniformly random.
    None,
    /// End the game.
    Ends,
    /// Leave the opponent few moves.
    Scarcity,
    /// Repeat an earlier position.
    Returns,
    /// Avoid the end of the game.
    Length,
}

impl Bias {
    /// The biases of random games, used in turn.
    pub(super) const IN_TURN: [Bias; 4] = [Bias::None, Bias::Ends, Bias::Scarcity, Bias::Returns];
}

/// Number of random candidate moves from which the best one for the bias is chosen.
const N_SAMPLED: usize = 24;

/// Plays a game from the start position to its end, or up to `longest` plies.
pub(super) fn play(rules: &Rules, bias: Bias, longest: usize, rng: &mut Rng) -> Opening {
    let mut board = rules.start();
    let mut seen = HashSet::new();
    let mut moves = Vec::new();
    while moves.len() < longest {
        let Some(code) = choose(&mut *board, bias, &seen, rng) else {
            break;
        };
        if bias == Bias::Returns {
            seen.insert(place(&*board));
        }
        let Ok(code) = board.play(&code) else {
            break; // The rules have failed.
        };
        moves.push(code);
    }
    Opening { fen: None, moves }
}

fn choose(
    board: &mut dyn DynHistory,
    bias: Bias,
    seen: &HashSet<String>,
    rng: &mut Rng,
) -> Option<String> {
    let mut moves = board.moves();
    rng.shuffle(&mut moves);
    // One move in four is random, so that games differ. With `Bias::Length`, a random move might end the game.
    if bias == Bias::Length || bias != Bias::None && rng.u8(..4) > 0 {
        moves.truncate(N_SAMPLED);
        let moves = moves.into_iter();
        return moves.max_by_key(|code| merit(board, bias, seen, code));
    }
    moves.pop()
}

/// Rates a move for the bias; higher is better.
fn merit(board: &mut dyn DynHistory, bias: Bias, seen: &HashSet<String>, code: &str) -> i64 {
    if board.play(code).is_err() {
        return i64::MIN; // The rules have failed.
    }
    let merit = match bias {
        Bias::None => 0,
        Bias::Ends => i64::from(board.outcome().is_some()),
        Bias::Scarcity if board.outcome().is_some() => i64::MIN,
        Bias::Scarcity => -(board.moves().len() as i64),
        Bias::Length => i64::from(board.outcome().is_none()),
        Bias::Returns => i64::from(seen.contains(&place(board))),
    };
    board.undo();
    merit
}

/// Board and side to move: the first two fields of the position string. Some games add counters after them.
fn place(board: &dyn DynHistory) -> String {
    let fen = board.fen();
    fen.splitn(3, ' ').take(2).collect::<Vec<_>>().join(" ")
}

impl Case<'_> {
    /// The random game of this number, which all steps share: drawing it takes longer than the questions about it.
    pub(super) fn random_game(&self, rules: &Rules, index: usize) -> Opening {
        const LONGEST: usize = 120;
        let (rng, games) = &mut *self.games.borrow_mut();
        while games.len() <= index {
            let bias = Bias::IN_TURN[games.len() % Bias::IN_TURN.len()];
            games.push(play(rules, bias, LONGEST, rng));
        }
        games[index].clone()
    }
}

impl Dialogue<'_> {
    /// Returns positions 1 to `plies` plies before the end of won games, as position strings; none if the rules are
    /// unknown.
    pub(super) fn near_ends(&self, plies: usize, salt: u64) -> Vec<Opening> {
        const N_GAMES: usize = 8;
        const LONGEST: usize = 200;
        let Ok(rules) = self.case.rules() else {
            return Vec::new();
        };
        let mut rng = self.rng(salt);
        let mut ends = Vec::new();
        for _ in 0..N_GAMES {
            let game = play(rules, Bias::Ends, LONGEST, &mut rng);
            if let Some(GameOutcome::Win(_)) = board(rules, &game).outcome() {
                let before = (0..game.moves.len()).rev().take(plies);
                ends.extend(before.map(|at| Opening::at(board(rules, &game.prefix(at)).fen())));
            }
        }
        ends
    }
}

/// Maximum length of a game in plies.
const LONGEST_GAME: usize = 400;

impl Dialogue<'_> {
    /// Creates a random number generator that depends only on the seed and `salt`.
    pub(super) fn rng(&self, salt: u64) -> Rng {
        generator(self.case.subject.seed, salt)
    }

    /// Returns a position `plies` random moves from the start in which the game is not over; fewer moves if games are
    /// shorter. If the rules are unknown, the engine's moves are used.
    pub(super) fn opening(&mut self, plies: usize, salt: u64) -> Checked<Opening> {
        if let Ok(rules) = &self.case.rules {
            let drawn = (0..=plies)
                .rev()
                .find_map(|plies| Opening::random(rules, plies, self.case.subject.seed, salt).ok());
            return Ok(drawn.unwrap_or_default());
        }
        let (mut opening, is_over) = self.random_game(plies, &mut self.rng(salt))?;
        if is_over {
            opening.moves.pop();
        }
        Ok(opening)
    }

    /// Plays random moves from the start. Returns `true` if the game ends before this number of plies.
    pub(super) fn random_game(&mut self, plies: usize, rng: &mut Rng) -> Checked<(Opening, bool)> {
        let mut game = Opening::default();
        while game.moves.len() < plies {
            let Some(code) = self.random_move(&game, rng)? else {
                return Ok((game, true));
            };
            game.moves.push(code);
        }
        Ok((game, false))
    }

    /// Draws a position like [`opening`](Dialogue::opening) and sets it.
    pub(super) fn set_random(&mut self, plies: usize, salt: u64) -> Checked<Opening> {
        let opening = self.opening(plies, salt)?;
        self.set(&opening)?;
        Ok(opening)
    }

    /// Returns a random game played to its end.
    pub(super) fn finished(&mut self) -> Checked<Opening> {
        let mut rng = self.rng(0xF1);
        for _ in 0..8 {
            if let (game, true) = self.random_game(LONGEST_GAME, &mut rng)? {
                return Ok(game);
            }
        }
        Err(skip!("no random game ends within {LONGEST_GAME} plies"))
    }

    /// Returns a random legal move, or `None` if the game is over.
    fn random_move(&mut self, opening: &Opening, rng: &mut Rng) -> Checked<Option<String>> {
        if let Ok(rules) = &self.case.rules {
            return Ok(rng.choice(board(rules, opening).moves()));
        }
        if self.is_over(opening)? {
            return Ok(None);
        }
        if self.case.answers(Query::Moves) {
            return Ok(rng.choice(self.listed(opening)?.unwrap_or_default()));
        }
        let code = self.search(opening, "depth 1")?.code;
        Ok(Some(code).filter(|code| code != "none"))
    }

    /// Returns the answer to a query about a position, by the rules or, if they are unknown, by the engine.
    pub(super) fn known(&mut self, opening: &Opening, query: Query) -> Checked<Option<String>> {
        if let Ok(rules) = &self.case.rules {
            return Ok(expected_reply(&*board(rules, opening), query));
        }
        if !self.case.answers(query) {
            return Ok(None);
        }
        self.set(opening)?;
        self.query(query)
    }

    /// `true` if the game is known to be over.
    pub(super) fn is_over(&mut self, opening: &Opening) -> Checked<bool> {
        Ok(self.known(opening, Query::GameOver)?.as_deref() == Some("true"))
    }

    /// Returns the legal moves, if they are known.
    pub(super) fn listed(&mut self, opening: &Opening) -> Checked<Option<Vec<String>>> {
        let moves = self.known(opening, Query::Moves)?;
        Ok(moves.map(|moves| moves.split_whitespace().map(str::to_owned).collect()))
    }

    /// Fails if a move is illegal. If the rules are unknown, it must be in the engine's own list, if there is one.
    pub(super) fn ensure_legal(&mut self, opening: &Opening, code: &str) -> Checked<()> {
        if let Ok(rules) = &self.case.rules {
            return legal(rules, opening, code);
        }
        let listed = self.listed(opening)?;
        listed.map_or(Ok(()), |listed| ensure_listed(&listed, opening, code))
    }

    /// Visits the positions of the game's table. Those with the same options share a new process that has them. Returns
    /// the number of those left out because the engine rejects their options.
    pub(super) fn each_of_table(
        &mut self,
        mut visit: impl FnMut(&mut Self, &Rules, &CheckPosition) -> Checked<()>,
    ) -> Checked<usize> {
        let rules = self.case.rules.as_ref();
        let table = rules.map_or("", |rules| rules.entry().check_positions);
        let mut n_left_out = 0;
        for positions in
            CheckPosition::parse_table(table).chunk_by(|one, next| one.options == next.options)
        {
            match self.case.board_of(positions) {
                Some((rules, options)) => {
                    self.restart(options)?;
                    let mut positions = positions.iter();
                    positions.try_for_each(|position| visit(self, &rules, position))?;
                }
                None => n_left_out += positions.len(),
            }
        }
        Ok(n_left_out)
    }

    /// Returns a position with a different first move and the other player to move, if there is one.
    pub(super) fn unrelated(&mut self, named: &Opening) -> Checked<Opening> {
        const ATTEMPTS: u64 = 8;
        let mut other = Opening::default();
        for salt in 0..ATTEMPTS {
            other = self.opening(1, 0xBAD + salt)?;
            if other.moves.first() != named.moves.first() {
                break;
            }
        }
        Ok(other)
    }

    /// Returns invalid lines that begin like valid ones: legal moves followed by a malformed code or an illegal move, and
    /// lines with surplus words.
    pub(super) fn bad_lines(&mut self, named: &Opening) -> Checked<Vec<String>> {
        let with =
            |opening: &Opening, code: &str| format!("position {}", opening.clone().with(code));
        let mut lines = vec![
            with(named, "xyzzy"),
            "position startpos xyzzy".to_owned(),
            "position fen xyzzy".to_owned(),
        ];
        if let Some(fen) = self.known(named, Query::Fen)? {
            lines.push(with(&Opening::at(fen), "xyzzy"));
        }
        if let Ok(rules) = self.case.rules() {
            let now = board(rules, named).moves();
            let earlier = board(rules, &Opening::default()).moves();
            let illegal = earlier.iter().find(|code| !now.contains(code));
            lines.extend(illegal.map(|code| with(named, code)));
        }
        Ok(lines)
    }

    /// Returns a position with at least two known moves, and some of these moves; without moves if none is found.
    pub(super) fn choice(&mut self) -> Checked<(Opening, Vec<String>)> {
        for plies in [2, 1, 0, 3, 4, 6, 8] {
            let opening = self.opening(plies, 28)?;
            let mut codes = self.listed(&opening)?.unwrap_or_default();
            codes.sort_unstable();
            codes.dedup();
            if codes.len() > 1 {
                self.rng(29).shuffle(&mut codes);
                codes.truncate(4);
                return Ok((opening, codes));
            }
        }
        Ok((Opening::default(), Vec::new()))
    }
}

/// Fails if a move is not in the engine's own list. An empty list means that the game is over.
pub(super) fn ensure_listed(listed: &[String], opening: &Opening, code: &str) -> Checked<()> {
    let is_over = listed.is_empty() && code == "none";
    let is_listed = is_over || listed.iter().any(|listed| listed == code);
    let (code, moves) = (excerpt(code), excerpt(&listed.join(" ")));
    let why = format!("{code}: its query moves answers \"{moves}\"");
    ensure!(
        is_listed,
        "bestmove is illegal after position {opening}: {why}"
    );
    Ok(())
}
