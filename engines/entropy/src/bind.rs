//! Binds: one player can only pass, usually because none of the player's pieces can come next to an isolated piece.
//!
//! In a bind only the other player moves. That player can reach few positions, so they can be enumerated before the
//! search. The enumeration shows which of them win. The others are scored as draws: by its features a bind would score
//! like a won game, and the player who has it would wait until each position has occurred twice.

use kit::{Evaluate, Game, KnownResult, Side};

use crate::geometry::{BOARD, N_BITS, Square, Squares, squares};
use crate::rules::{Entropy, Pieces, Position};

/// The positions that one player can reach while the other can only pass.
#[derive(Debug, Default)]
pub(crate) struct Binds(Option<Explored>);

impl Binds {
    /// Finds the binds that the player to move can keep or reach with the next move. Enumerates at most `max_positions`
    /// positions. A position for which `is_drawn` is `true` is not part of a win.
    pub(crate) fn new(
        game: &Entropy,
        position: &Position,
        max_positions: usize,
        is_drawn: &dyn Fn(&Position) -> bool,
    ) -> Binds {
        let binds = |(from, targets): (Square, Squares)| {
            let mut moved = squares(targets).map(|to| position.own() ^ from.bit() ^ to.bit());
            moved.any(|own| is_bound(game, &with_own(position, own)))
        };
        let explore = || Explored::new(game, position, max_positions, is_drawn);
        Binds(game.slides(position).any(binds).then(explore))
    }

    /// The result if the opponent of the player to move is bound and remains bound.
    pub(crate) fn known_result(&self, position: &Position) -> Option<KnownResult> {
        let explored = self.0.as_ref()?;
        let is_this = explored.free == position.side && explored.bound == position.enemy();
        is_this.then(|| explored.known_result(position.own()))?
    }

    /// `true` if the bound player can only pass, at once or after the other player's move, and no win is known.
    pub(crate) fn is_without_progress(&self, game: &Entropy, position: &Position) -> bool {
        let Some(explored) = &self.0 else {
            return false;
        };
        let free = Position {
            side: explored.free,
            ..*position
        };
        if free.enemy() != explored.bound {
            return false;
        }
        match explored.known_result(free.own()) {
            Some(result) => result == KnownResult::NoProgress,
            None => is_bound(game, &free),
        }
    }
}

/// Number of squares not taken by the seven bound pieces.
const N_FREE: usize = 25 - 7;
/// Marks an arrangement not found yet.
const NONE: u16 = u16::MAX;
/// Marks an arrangement that does not bind.
const LOOSE: u16 = NONE - 1;

/// Arrangements of the free player's pieces, in the order of discovery. The first one is the root's, in which the
/// opponent need not be bound.
#[derive(Debug)]
struct Explored {
    free: Side,
    bound: Squares,
    /// The index of each free square among the free squares.
    place: [u8; N_BITS],
    /// The index of each arrangement, by its pieces as bits over the free squares.
    number: Vec<u16>,
    found: Vec<Squares>,
    /// The number of moves to a win, if there is one.
    moves: Vec<Option<u32>>,
}

impl Explored {
    fn new(
        game: &Entropy,
        root: &Position,
        max_positions: usize,
        is_drawn: &dyn Fn(&Position) -> bool,
    ) -> Explored {
        let mut place = [0; N_BITS];
        for (square, i) in squares(BOARD & !root.enemy()).zip(0..) {
            place[square.index()] = i;
        }
        let mut explored = Explored {
            free: root.side,
            bound: root.enemy(),
            place,
            number: vec![NONE; 1 << N_FREE],
            found: Vec::new(),
            moves: Vec::new(),
        };
        explored.add(root.own());
        explored.explore(game, root, max_positions, is_drawn);
        explored
    }

    fn explore(
        &mut self,
        game: &Entropy,
        root: &Position,
        max_positions: usize,
        is_drawn: &dyn Fn(&Position) -> bool,
    ) {
        let mut links = Vec::new();
        let mut at = 0;
        while at < self.found.len() && at < max_positions {
            let free = with_own(root, self.found[at]);
            self.moves[at] = game.win_in_one(&free).map(|_| 1);
            for (from, targets) in game.slides(&free) {
                for to in squares(targets) {
                    let moved = with_own(root, free.own() ^ from.bit() ^ to.bit());
                    // The position before the pass, and the one after it.
                    let passing = opponent_to_move(&moved);
                    if is_drawn(&passing) || is_drawn(&moved) {
                        continue;
                    }
                    if let Some(next) = self.number_of(game, &moved) {
                        links.push((at, next));
                    }
                }
            }
            at += 1;
        }
        self.count_back(&links);
    }

    /// Counts the moves to a win by retrograde analysis from the won arrangements.
    fn count_back(&mut self, links: &[(usize, usize)]) {
        for moves in 2.. {
            let mut is_done = true;
            for &(before, after) in links {
                if self.moves[before].is_none() && self.moves[after] == Some(moves - 1) {
                    self.moves[before] = Some(moves);
                    is_done = false;
                }
            }
            if is_done {
                break;
            }
        }
    }

    /// The index of an arrangement; `None` if it does not bind the opponent.
    fn number_of(&mut self, game: &Entropy, moved: &Position) -> Option<usize> {
        let at = self.place_of(moved.own());
        if self.number[at] == NONE {
            if is_bound(game, moved) {
                self.add(moved.own());
            } else {
                self.number[at] = LOOSE;
            }
        }
        let number = self.number[at];
        (number != LOOSE).then_some(usize::from(number))
    }

    fn add(&mut self, own: Squares) {
        let at = self.place_of(own);
        self.number[at] = self.found.len() as u16;
        self.found.push(own);
        self.moves.push(None);
    }

    fn place_of(&self, own: Squares) -> usize {
        squares(own)
            .map(|square| 1 << self.place[square.index()])
            .sum()
    }

    fn known_result(&self, own: Squares) -> Option<KnownResult> {
        let number = usize::from(self.number[self.place_of(own)]);
        Some(match self.moves.get(number)? {
            Some(moves) => KnownResult::Win(2 * moves - 1),
            None => KnownResult::NoProgress,
        })
    }
}

/// The position with these pieces of the player to move.
fn with_own(position: &Position, own: Squares) -> Position {
    let pieces = match position.side {
        Side::P1 => Pieces::new(own, position.enemy()),
        Side::P2 => Pieces::new(position.enemy(), own),
    };
    Position {
        pieces,
        side: position.side,
        passes: 0,
    }
}

/// `true` if the opponent of the player to move could only pass, in a game that is not over.
fn is_bound(game: &Entropy, position: &Position) -> bool {
    game.must_pass(&opponent_to_move(position)) && game.outcome(position).is_none()
}

fn opponent_to_move(position: &Position) -> Position {
    Position {
        side: position.side.other(),
        ..*position
    }
}

#[cfg(test)]
mod tests {
    use kit::{Notation, Options, Outcome};

    use super::*;
    use crate::rules::Move;

    /// Positions from games in which the player to move has bound the opponent or can do so.
    const BINDS: [&str; 7] = [
        "s1s1o/1os2/s1sos/o3s/o2oo s 1",
        "ssoss/os2o/1ooos/4o/2s2 o 1",
        "sos1o/5/sssos/3s1/ooo1o s 1",
        "so2o/2s2/3os/ssss1/oo1oo s 1",
        "ss2o/s1s1s/ooooo/s3o/2s2 o 1",
        "s1o2/s4/ossss/s2oo/oo1o1 s 1",
        "1ss1o/2o2/s1ss1/o1ss1/oooo1 s 1",
    ];

    fn read(goal: &str, fen: &str) -> (Entropy, Position) {
        let mut options = Options::new(Entropy::options());
        options.set("Goal", Some(goal)).expect("a goal");
        let game = Entropy::new(&options);
        let position = game.parse_position(fen).expect("a position").position;
        (game, position)
    }

    /// The plies to the end by the best legal move while the opponent passes; `known` returns the plies for the
    /// positions after it.
    fn best(
        game: &Entropy,
        position: &Position,
        known: impl Fn(&Position) -> Option<u32>,
    ) -> Option<u32> {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let after = |mv| {
            let mut after = Position {
                passes: 0,
                ..*position
            };
            game.play(&mut after, mv);
            match game.outcome(&after) {
                Some(Outcome::Win(winner)) => return (winner == position.side).then_some(1),
                Some(Outcome::Draw) => return None,
                None => {}
            }
            let mut replies = Vec::new();
            game.moves(&after, &mut replies);
            if replies != [Move::Pass] {
                return None;
            }
            game.play(&mut after, Move::Pass);
            Some(2 + known(&after)?)
        };
        moves.into_iter().filter_map(after).min()
    }

    #[test]
    fn each_known_result_follows_from_those_a_move_later() {
        for (goal, fen) in ["contact", "apart"]
            .into_iter()
            .flat_map(|goal| BINDS.map(|fen| (goal, fen)))
        {
            let (game, root) = read(goal, fen);
            let binds = Binds::new(&game, &root, usize::MAX, &|_| false);
            let plies = |position: &Position| match binds.known_result(position)? {
                KnownResult::Win(plies) => Some(plies),
                KnownResult::NoProgress => None,
            };
            let found = &binds.0.as_ref().expect("a bind").found;
            for &own in found {
                let position = with_own(&root, own);
                assert_eq!(
                    plies(&position),
                    best(&game, &position, plies),
                    "{goal}: {fen}, {position:?}"
                );
            }
        }
    }

    #[test]
    fn some_binds_win_and_some_make_no_progress() {
        let known_result = |fen| {
            let (game, root) = read("contact", fen);
            Binds::new(&game, &root, usize::MAX, &|_| false).known_result(&root)
        };
        assert_eq!(known_result(BINDS[4]), Some(KnownResult::Win(27)));
        assert_eq!(known_result(BINDS[5]), Some(KnownResult::NoProgress));
    }

    #[test]
    fn nothing_is_told_of_other_binds() {
        let (game, root) = read("contact", BINDS[4]);
        let (_, other) = read("contact", BINDS[1]);
        assert_eq!(
            Binds::new(&game, &root, usize::MAX, &|_| false).known_result(&other),
            None
        );
        assert_eq!(game.binds().known_result(&root), None);
    }
}
