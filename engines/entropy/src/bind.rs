//! Binds: a player who can only pass, most often because nothing of his can come to his isolated piece.
//!
//! While he is bound, the other moves alone, and what he can reach is few enough to look at all of it. That tells a bind
//! that wins from one that looks as good and never will: who keeps on passing is not beaten by waiting.

use std::collections::HashMap;

use kit::{Evaluate, Game, Prospect, Side};

use crate::board::{Squares, squares};
use crate::rules::{Entropy, Pieces, Position};

/// All that one player can reach while the pieces of the other, who can only pass, stay where they are.
#[derive(Debug, Default)]
pub(crate) struct Binds {
    free: Option<Side>,
    bound: Squares,
    /// What comes of it while the other is bound, by the pieces of the free player, whose turn it is.
    known: HashMap<Squares, Prospect>,
}

/// Arrangements of the free player that are looked at; beyond them nothing is told.
const MOST: usize = 8_000;

impl Binds {
    /// Those that the player to move can keep up or come to with his next move.
    pub(crate) fn new(game: &Entropy, position: &Position) -> Binds {
        Explorer::new(game, position).run()
    }

    /// What comes of it if the opponent of the player to move is bound and stays so, as far as it is known.
    pub(crate) fn prospect(&self, position: &Position) -> Option<Prospect> {
        let is_this = self.free == Some(position.side) && self.bound == position.enemy();
        is_this.then(|| self.known.get(&position.own()).copied())?
    }
}

struct Explorer<'a> {
    game: &'a Entropy,
    root: &'a Position,
    /// Arrangements with the opponent bound, in the order they were found; the first is the root, bound or not.
    found: Vec<Squares>,
    number: HashMap<Squares, usize>,
    /// From which arrangements each one is reached.
    before: Vec<Vec<usize>>,
    /// The moves to a win, where there is one.
    moves: Vec<Option<u32>>,
}

impl<'a> Explorer<'a> {
    fn new(game: &'a Entropy, root: &'a Position) -> Explorer<'a> {
        Explorer {
            game,
            root,
            found: Vec::new(),
            number: HashMap::new(),
            before: Vec::new(),
            moves: Vec::new(),
        }
    }

    fn run(mut self) -> Binds {
        self.add(self.root.own());
        let mut wins = Vec::new();
        let mut at = 0;
        while let Some(&own) = self.found.get(at) {
            if at == MOST {
                return Binds::default();
            }
            let free = self.with_own(own);
            if self.game.winning_move(&free).is_some() {
                self.moves[at] = Some(1);
                wins.push(at);
            }
            for (from, targets) in self.game.slides(&free) {
                for to in squares(targets) {
                    let next = own ^ from.bit() ^ to.bit();
                    if let Some(next) = self.number_of(next) {
                        self.before[next].push(at);
                    }
                }
            }
            at += 1;
        }
        self.spread(wins);
        let judged = |(own, moves): (Squares, Option<u32>)| {
            let prospect = moves.map_or(Prospect::DeadEnd, |moves| Prospect::Win(2 * moves - 1));
            (own, prospect)
        };
        Binds {
            free: Some(self.root.side),
            bound: self.root.enemy(),
            known: self.found.into_iter().zip(self.moves).map(judged).collect(),
        }
    }

    /// Counts the moves to a win back from where it is one.
    fn spread(&mut self, mut front: Vec<usize>) {
        for moves in 2.. {
            let mut next = Vec::new();
            for at in front {
                for &before in &self.before[at] {
                    if self.moves[before].is_none() {
                        self.moves[before] = Some(moves);
                        next.push(before);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            front = next;
        }
    }

    /// The number of an arrangement; `None` if the opponent is not bound by it.
    fn number_of(&mut self, own: Squares) -> Option<usize> {
        if let Some(&number) = self.number.get(&own) {
            return Some(number);
        }
        self.is_bound(own).then(|| self.add(own))
    }

    fn add(&mut self, own: Squares) -> usize {
        let number = self.found.len();
        self.found.push(own);
        self.number.insert(own, number);
        self.before.push(Vec::new());
        self.moves.push(None);
        number
    }

    /// The root with these pieces of the player to move.
    fn with_own(&self, own: Squares) -> Position {
        let Position { side, .. } = *self.root;
        let pieces = match side {
            Side::P1 => Pieces::new(own, self.root.enemy()),
            Side::P2 => Pieces::new(self.root.enemy(), own),
        };
        Position {
            pieces,
            side,
            passes: 0,
        }
    }

    /// Whether the opponent has to pass in his turn, and the game goes on.
    fn is_bound(&self, own: Squares) -> bool {
        let opponent_to_move = Position {
            side: self.root.side.other(),
            ..self.with_own(own)
        };
        let mut slides = self.game.slides(&opponent_to_move);
        slides.all(|(_, targets)| targets == 0) && self.game.outcome(&opponent_to_move).is_none()
    }
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
            let binds = Binds::new(&game, &root);
            assert!(binds.known.contains_key(&root.own()), "{goal}: {fen}");
            let plies = |position: &Position| match binds.prospect(position)? {
                Prospect::Win(plies) => Some(plies),
                Prospect::DeadEnd => None,
            };
            for &own in binds.known.keys() {
                let position = Explorer::new(&game, &root).with_own(own);
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
            Binds::new(&game, &root).prospect(&root)
        };
        assert_eq!(prospect(BINDS[4]), Some(Prospect::Win(27)));
        assert_eq!(prospect(BINDS[5]), Some(Prospect::DeadEnd));
    }

    #[test]
    fn nothing_is_told_of_other_binds() {
        let (game, root) = read("contact", BINDS[4]);
        let (_, other) = read("contact", BINDS[1]);
        assert_eq!(Binds::new(&game, &root).prospect(&other), None);
        assert_eq!(game.binds().prospect(&root), None);
    }
}
