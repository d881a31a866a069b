//! Binds: a player who can only pass, most often because nothing of his can come to his isolated piece.
//!
//! While he is bound, the other moves alone, and what he can reach is few enough to look at all of it. That tells a bind
//! that wins from one that looks as good and never will: who keeps on passing is not beaten by waiting.

use kit::{Evaluate, Game, KnownResult, Side};

use crate::geometry::{BOARD, N_BITS, Square, Squares, squares};
use crate::rules::{Entropy, Pieces, Position};

/// All that one player can reach while the pieces of the other, who can only pass, stay where they are.
#[derive(Debug, Default)]
pub(crate) struct Binds(Option<Explored>);

impl Binds {
    /// Those that the player to move can keep up or come to with his next move, after a look at so many positions at most.
    pub(crate) fn new(game: &Entropy, position: &Position, most: usize) -> Binds {
        let binds = |(from, targets): (Square, Squares)| {
            let mut moved = squares(targets).map(|to| position.own() ^ from.bit() ^ to.bit());
            moved.any(|own| is_bound(game, &with_own(position, own)))
        };
        let explore = || Explored::new(game, position, most);
        Binds(game.slides(position).any(binds).then(explore))
    }

    /// What comes of it if the opponent of the player to move is bound and stays so, as far as it is known.
    pub(crate) fn prospect(&self, position: &Position) -> Option<KnownResult> {
        let explored = self.0.as_ref()?;
        let is_this = explored.free == position.side && explored.bound == position.enemy();
        is_this.then(|| explored.prospect(position.own()))?
    }
}

/// The squares that the seven bound pieces leave.
const N_FREE: usize = 25 - 7;
/// The number of an arrangement that was not found.
const NONE: u16 = u16::MAX;
/// The number of one that does not bind.
const LOOSE: u16 = NONE - 1;

/// Arrangements of the free player's pieces, in the order in which they were found; the first is the root, bound or not.
#[derive(Debug)]
struct Explored {
    free: Side,
    bound: Squares,
    /// Place of each free square among them.
    place: [u8; N_BITS],
    /// The number of each arrangement, by the places of its pieces as bits.
    number: Vec<u16>,
    found: Vec<Squares>,
    /// The moves to a win, where there is one.
    moves: Vec<Option<u32>>,
    /// Whether there is nothing left to look at.
    is_complete: bool,
}

impl Explored {
    fn new(game: &Entropy, root: &Position, most: usize) -> Explored {
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
            is_complete: false,
        };
        explored.add(root.own());
        explored.explore(game, root, most);
        explored
    }

    fn explore(&mut self, game: &Entropy, root: &Position, most: usize) {
        let mut links = Vec::new();
        let mut at = 0;
        while at < self.found.len() && at < most {
            let free = with_own(root, self.found[at]);
            self.moves[at] = game.win_in_one(&free).map(|_| 1);
            for (from, targets) in game.slides(&free) {
                for to in squares(targets) {
                    let moved = with_own(root, free.own() ^ from.bit() ^ to.bit());
                    if let Some(next) = self.number_of(game, &moved) {
                        links.push((at, next));
                    }
                }
            }
            at += 1;
        }
        self.is_complete = at == self.found.len();
        self.count_back(&links);
    }

    /// Counts the moves to a win back from where it is one.
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

    /// The number of an arrangement; `None` if the opponent is not bound by it.
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

    fn prospect(&self, own: Squares) -> Option<KnownResult> {
        let number = usize::from(self.number[self.place_of(own)]);
        match self.moves.get(number)? {
            Some(moves) => Some(KnownResult::Win(2 * moves - 1)),
            None => self.is_complete.then_some(KnownResult::KnownDraw),
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

/// Whether the opponent of the player to move would have to pass in his turn, and the game goes on.
fn is_bound(game: &Entropy, position: &Position) -> bool {
    let opponent_to_move = Position {
        side: position.side.other(),
        ..*position
    };
    game.must_pass(&opponent_to_move) && game.outcome(position).is_none()
}

#[cfg(test)]
mod tests {
    use kit::{Notation, Options, Outcome};

    use super::*;
    use crate::rules::Move;

    /// Positions of games in which the player to move has bound the other, or can.
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

    /// The plies to the end by the best of all moves that the rules allow while the other passes; `known` tells it of the
    /// positions after them.
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
    fn each_prospect_follows_from_those_a_move_later() {
        for (goal, fen) in ["contact", "apart"]
            .into_iter()
            .flat_map(|goal| BINDS.map(|fen| (goal, fen)))
        {
            let (game, root) = read(goal, fen);
            let binds = Binds::new(&game, &root, usize::MAX);
            let plies = |position: &Position| match binds.prospect(position)? {
                KnownResult::Win(plies) => Some(plies),
                KnownResult::KnownDraw => None,
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
    fn some_binds_win_and_some_are_dead_ends() {
        let prospect = |fen| {
            let (game, root) = read("contact", fen);
            Binds::new(&game, &root, usize::MAX).prospect(&root)
        };
        assert_eq!(prospect(BINDS[4]), Some(KnownResult::Win(27)));
        assert_eq!(prospect(BINDS[5]), Some(KnownResult::KnownDraw));
    }

    #[test]
    fn nothing_is_told_of_other_binds() {
        let (game, root) = read("contact", BINDS[4]);
        let (_, other) = read("contact", BINDS[1]);
        assert_eq!(Binds::new(&game, &root, usize::MAX).prospect(&other), None);
        assert_eq!(game.binds().prospect(&root), None);
    }
}
