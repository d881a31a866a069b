//! Binds: one player can only pass, usually because none of the player's pieces can come next to an isolated piece.
//!
//! In a bind only the other player moves. That player can reach few positions, so they can be enumerated before the
//! search. The enumeration shows which of them win. The others are scored as draws: by its features a bind would score
//! like a won game, and the player who has it would wait until each position has occurred twice.

use std::collections::HashMap;

use kit::{Evaluate, Game, KnownResult, Side};

use crate::geometry::{Square, Squares};
use crate::position::{Entropy, Pieces, Position};

/// The arrangements of the free player's pieces that this player can reach while the other one can only pass, in the order
/// of discovery. The first one is the root's, in which the opponent need not be bound.
#[derive(Debug)]
pub(crate) struct Explored {
    pub(crate) free: Side,
    pub(crate) bound: Squares,
    /// The index of each arrangement that was looked at; `None` for one that does not bind.
    number: HashMap<Squares, Option<usize>>,
    /// Each arrangement with the number of moves to a win, if there is one.
    found: Vec<(Squares, Option<u32>)>,
    /// `true` if the moves of all arrangements were listed.
    is_complete: bool,
}

/// Finds the binds that the player to move can keep or reach with the next move. Enumerates at most `max_positions`
/// positions. A position for which `is_drawn` is `true` is not part of a win.
pub(crate) fn find(
    game: &Entropy,
    root: &Position,
    max_positions: usize,
    is_drawn: &dyn Fn(&Position) -> bool,
) -> Option<Explored> {
    let binds = |(from, targets): (Square, Squares)| {
        let mut moved = Square::of(targets).map(|to| root.own() ^ from.bit() ^ to.bit());
        moved.any(|own| is_bound(game, &with_own(root, own)))
    };
    let explored = || Explored::new(game, root, max_positions, is_drawn);
    game.slides(root).any(binds).then(explored)
}

impl Explored {
    fn new(
        game: &Entropy,
        root: &Position,
        max_positions: usize,
        is_drawn: &dyn Fn(&Position) -> bool,
    ) -> Explored {
        let mut explored = Explored {
            free: root.side,
            bound: root.enemy(),
            number: HashMap::from([(root.own(), Some(0))]),
            found: vec![(root.own(), None)],
            is_complete: false,
        };
        let mut links = Vec::new();
        let mut at = 0;
        while at < explored.found.len() && at < max_positions {
            let free = with_own(root, explored.found[at].0);
            explored.found[at].1 = game.win_in_one(&free).map(|_| 1);
            for (from, targets) in game.slides(&free) {
                for to in Square::of(targets) {
                    let moved = with_own(root, free.own() ^ from.bit() ^ to.bit());
                    // The position before the pass, and the one after it.
                    if !is_drawn(&moved.with_opponent_to_move()) && !is_drawn(&moved) {
                        let next = explored.number_of(game, &moved);
                        links.extend(next.map(|next| (at, next)));
                    }
                }
            }
            at += 1;
        }
        explored.is_complete = at == explored.found.len();
        explored.count_back(&links);
        explored
    }

    /// The index of an arrangement; `None` if it does not bind.
    fn number_of(&mut self, game: &Entropy, position: &Position) -> Option<usize> {
        let next = self.found.len();
        let new = || is_bound(game, position).then_some(next);
        let number = *self.number.entry(position.own()).or_insert_with(new);
        if number == Some(next) {
            self.found.push((position.own(), None));
        }
        number
    }

    /// Counts the moves to a win by retrograde analysis from the won arrangements.
    fn count_back(&mut self, links: &[(usize, usize)]) {
        for moves in 2.. {
            let is_won = |&&(before, after): &&(usize, usize)| {
                self.found[before].1.is_none() && self.found[after].1 == Some(moves - 1)
            };
            let won: Vec<usize> = links.iter().filter(is_won).map(|link| link.0).collect();
            if won.is_empty() {
                return;
            }
            for before in won {
                self.found[before].1 = Some(moves);
            }
        }
    }

    /// The result of an arrangement; `None` if it was not found. If the enumeration ended before all moves were listed, one
    /// without a known win has no known result: a way to a win may lead through those not listed.
    pub(crate) fn known_result(&self, own: Squares) -> Option<KnownResult> {
        let number = self.number.get(&own).copied().flatten()?;
        match self.found[number].1 {
            Some(moves) => Some(KnownResult::Win(2 * moves - 1)),
            None => self.is_complete.then_some(KnownResult::NoProgress),
        }
    }
}

impl Entropy {
    /// `true` if the bound player can only pass, at once or after the other player's move, and no win is known.
    pub(crate) fn is_without_progress(&self, position: &Position) -> bool {
        let Some(explored) = self.binds.as_ref() else {
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
            None => is_bound(self, &free),
        }
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
    game.must_pass(&position.with_opponent_to_move()) && game.outcome(position).is_none()
}

#[cfg(test)]
mod tests {
    use kit::{Outcome, PositionHistory};

    use super::*;
    use crate::position::Move;

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
        let history: PositionHistory<Entropy> = laws::testing::at(&format!("Goal={goal}"), fen);
        (history.game().clone(), *history.position())
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

    fn with_binds(game: &Entropy, root: &Position) -> Entropy {
        game.with_known_results(root, usize::MAX, &|_| false)
    }

    #[test]
    fn each_known_result_follows_from_those_a_move_later() {
        for (goal, fen) in ["contact", "apart"]
            .into_iter()
            .flat_map(|goal| BINDS.map(|fen| (goal, fen)))
        {
            let (game, root) = read(goal, fen);
            let game = with_binds(&game, &root);
            let plies = |position: &Position| match game.known_result(position)? {
                KnownResult::Win(plies) => Some(plies),
                KnownResult::NoProgress => None,
            };
            let found = &game.binds.as_ref().as_ref().expect("a bind").found;
            for &(own, _) in found {
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
            with_binds(&game, &root).known_result(&root)
        };
        assert_eq!(known_result(BINDS[4]), Some(KnownResult::Win(27)));
        assert_eq!(known_result(BINDS[5]), Some(KnownResult::NoProgress));
    }

    /// The winning way leads through positions that a short enumeration finds but does not expand.
    #[test]
    fn an_enumeration_cut_short_does_not_know_that_there_is_no_progress() {
        let (game, root) = read("contact", BINDS[4]);
        for max_positions in [0, 1, 10, 100] {
            let game = game.with_known_results(&root, max_positions, &|_| false);
            assert_eq!(game.known_result(&root), None, "{max_positions}");
        }
    }

    #[test]
    fn nothing_is_told_of_other_binds() {
        let (game, root) = read("contact", BINDS[4]);
        let (_, other) = read("contact", BINDS[1]);
        assert_eq!(with_binds(&game, &root).known_result(&other), None);
        assert_eq!(game.known_result(&root), None);
    }
}
