//! Evaluation and move priors.
//!
//! Both players have the same features: their pieces, and the moves that each would have as the side to move. A player
//! in check has few moves, and while the player answers the check, the opponent can arrange pieces. Only
//! [`win_in_one`](Evaluate::win_in_one) looks ahead, by one move.

use std::sync::Arc;

use kit::evaluate::weighted_sum;
use kit::{Evaluate, KnownResult};

use crate::bind;
use crate::geometry::{
    BOARD, BORDER, Both, CENTRE, RANK, SIDE, Square, Squares, count_each, neighbours,
    neighbours_of_each, reach, slides_of_each, twice,
};
use crate::position::{Entropy, Move, Position, targets};

/// The weights of the features, in hundredths; `spec/lab.md` lists the games from which they were fitted.
const WEIGHTS: [i16; N_FEATURES] = include!("weights.in");

/// Pieces with an enemy neighbour and no own neighbour, as the goal requires.
const PLACED: usize = 0;
/// Pieces with an own neighbour and no enemy neighbour: the opposite of the goal.
const HUDDLED: usize = 1;
/// Pieces on the border, which have fewer neighbouring squares.
const ON_BORDER: usize = 2;
/// A piece on c3, the most central square.
const ON_CENTRE: usize = 3;
/// Slides, whether or not a check forbids them.
const SLIDE: usize = 4;
/// First feature of the number of legal moves; 12 and more share one feature. The fewer there are, the more each
/// counts.
const FREEDOM: usize = 5;
const N_FREEDOM: usize = 13;
/// 1 if the enemy has no move and the enemy's pieces leave no space to place all own pieces: waiting does not help.
const STUCK: usize = FREEDOM + N_FREEDOM;
const N_FEATURES: usize = STUCK + 1;

/// A move's prior for each enemy piece that it isolates: the opponent will be in check.
const GIVES_CHECK: i32 = 2_000;
/// A move's prior for each own piece that is placed afterwards; the same is subtracted for each own piece that is then
/// isolated.
const PLACES: i32 = 400;

impl Evaluate for Entropy {
    const N_UNPRUNED_MOVES: Option<usize> = Some(4);

    type Sums = ();

    fn evaluate(&self, position: &Position, (): &()) -> i32 {
        weighted_sum(self, position)
    }

    fn weights(&self) -> &'static [i16] {
        &WEIGHTS
    }

    /// There are none in a bind without a known win, which is then scored as a draw.
    fn features(&self, position: &Position, add: &mut impl FnMut(usize, i32)) {
        if self.is_without_progress(position) {
            return;
        }
        let pieces = position.pieces.own_first(position.side);
        let near = neighbours_of_each(pieces);
        let near_enemy = near.rotate_left(32);
        add(PLACED, balance(pieces & !near & near_enemy));
        add(HUDDLED, balance(pieces & near & !near_enemy));
        add(ON_BORDER, balance(pieces & twice(BORDER)));
        add(ON_CENTRE, balance(pieces & twice(CENTRE)));
        let slides = slides_of_each(pieces & near, BOARD & !position.occupied());
        let [own_slides, enemy_slides] = count_each(slides);
        add(SLIDE, own_slides - enemy_slides);
        let isolated = pieces & !near & !near_enemy;
        let n_moves = match isolated {
            0 => [own_slides, enemy_slides],
            _ => {
                let [own, enemy] = [isolated, isolated >> 32].map(|half| targets(half as Squares));
                let allowed = Both::from(own) | Both::from(enemy) << 32;
                count_each(slides.map(|slides| slides & allowed))
            }
        };
        let waiting = [position.own(), position.enemy()];
        for ((n_moves, pieces), sign) in n_moves.into_iter().zip(waiting).zip([1, -1]) {
            add(FREEDOM + (n_moves as usize).min(N_FREEDOM - 1), sign);
            if n_moves == 0 && !self.has_room(pieces) {
                add(STUCK, -sign);
            }
        }
    }

    fn with_known_results(
        &self,
        position: &Position,
        max_positions: usize,
        is_drawn: &dyn Fn(&Position) -> bool,
    ) -> Entropy {
        Entropy {
            binds: Arc::new(bind::find(self, position, max_positions, is_drawn)),
            ..self.clone()
        }
    }

    /// The result if the opponent of the player to move is bound and remains bound.
    fn known_result(&self, position: &Position) -> Option<KnownResult> {
        let explored = self.binds.as_ref().as_ref()?;
        let is_this = explored.free == position.side && explored.bound == position.enemy();
        is_this.then(|| explored.known_result(position.own()))?
    }

    /// A player in check has none: a move that resolves the check gives the isolated piece an own neighbour.
    fn win_in_one(&self, position: &Position) -> Option<Move> {
        let (own, enemy) = (position.own(), position.enemy());
        let (near_own, near_enemy) = (neighbours(own), neighbours(enemy));
        let mobile = own & near_own;
        // The moved piece must be next to all others that have an own neighbour.
        let is_spread =
            mobile.leading_zeros() + mobile.trailing_zeros() < 31 - 2 * u32::from(RANK + 1);
        if is_spread || own & !near_own & !near_enemy != 0 {
            return None;
        }
        let fit = self.goal.wanted(near_enemy);
        // Only the moved piece can become placed by the move.
        let movers = match own & !fit {
            0 => mobile,
            unfit if unfit.is_power_of_two() => mobile & unfit,
            _ => 0,
        };
        Square::of(movers).find_map(|from| {
            let rest = own ^ from.bit();
            let near_rest = neighbours(rest);
            if rest & near_rest != 0 {
                return None;
            }
            let mut good = Square::of(reach(from, own | enemy) & fit & !near_rest);
            let to = good.find(|to| {
                let near_own = near_rest | neighbours(to.bit());
                !self.goal.is_reached(enemy, near_enemy, near_own)
            })?;
            Some(Move::Slide { from, to })
        })
    }

    /// Counts the checks given and the pieces placed.
    fn move_priors<'a>(&'a self, position: &'a Position) -> impl Fn(Move) -> i32 + 'a {
        let near_enemy = neighbours(position.enemy());
        let lone_enemies = position.enemy() & !near_enemy;
        move |mv| {
            let Move::Slide { from, to } = mv else {
                return 0;
            };
            let own = position.own() ^ from.bit() ^ to.bit();
            let near_own = neighbours(own);
            let lone = own & !near_own;
            let placed = Both::from(lone & near_enemy) | Both::from(lone & !near_enemy) << 32;
            GIVES_CHECK * count(lone_enemies & !near_own) + PLACES * balance(placed)
        }
    }
}

impl Entropy {
    /// `true` if all seven pieces could be placed as the goal requires while the enemy's pieces stay.
    fn has_room(&self, enemy: Squares) -> bool {
        let open = !enemy & self.goal.wanted(neighbours(enemy));
        // For each pattern of the current rank, the maximum number of pieces so far. A pattern that does not fit counts
        // as the empty one.
        let mut most = [0; SPACED.len()];
        for rank in 0..SIDE {
            let open = open >> (RANK * rank);
            let most_below = most.into_iter().max().unwrap_or(0);
            most = std::array::from_fn(|i| {
                let pattern = SPACED[i];
                if pattern & !open != 0 {
                    return most_below;
                }
                let near = pattern | pattern << 1 | pattern >> 1;
                let below = (0..SPACED.len()).filter(|&below| SPACED[below] & near == 0);
                let before = below.map(|below| most[below]).max().unwrap_or(0);
                before + pattern.count_ones()
            });
        }
        most.into_iter().max() >= Some(7)
    }
}

/// Patterns of a rank without two adjacent pieces.
const SPACED: [Squares; 13] = [
    0b00000, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b00101, 0b01001, 0b10001, 0b01010,
    0b10010, 0b10100, 0b10101,
];

/// The number of own squares less that of enemy squares.
fn balance(own_first: Both) -> i32 {
    (own_first ^ !0 << 32).count_ones() as i32 - 32
}

fn count(set: Squares) -> i32 {
    // The usual case: without an instruction for it, counting takes a dozen steps.
    if set == 0 { 0 } else { set.count_ones() as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Pieces;
    use kit::{Game, Notation, PositionHistory, Side};
    use laws::searches::static_score;
    use laws::testing::{along_random_games, check_win_in_one};

    fn start(goal: &str) -> PositionHistory<Entropy> {
        laws::testing::at(&format!("Goal={goal}"), "startpos")
    }

    #[test]
    fn the_start_is_balanced() {
        let start = start("contact");
        assert_eq!(static_score(start.game(), start.position()), 0);
    }

    /// Compares each position with the one seen by the opponent from the other side of the board.
    #[test]
    fn colours_exchanged_and_the_board_turned_keep_the_score() {
        let turned =
            |set: Squares| Square::of(set).fold(0, |all, square| all | 1 << (28 - square.index()));
        along_random_games(&start("contact"), 1..201, |history| {
            let position = history.position();
            let [p1, p2] = Side::BOTH.map(|side| turned(position.pieces.of(side)));
            let other = Position {
                pieces: Pieces::new(p2, p1),
                side: position.side.other(),
                passes: position.passes,
            };
            let score = static_score(history.game(), position);
            assert_eq!(static_score(history.game(), &other), score, "{position:?}");
        });
    }

    #[test]
    fn a_winning_move_is_found_whenever_there_is_one() {
        for goal in ["contact", "apart"] {
            along_random_games(&start(goal), 1..201, |history| {
                check_win_in_one(history);
            });
        }
    }

    #[test]
    fn the_prior_of_a_check_is_higher_than_of_any_quiet_move() {
        let start = start("contact");
        let game = start.game();
        let text = "s1oso/o3s/o3o/1o2s/sss1o o 0";
        let position = game.parse_position(text).expect("the puzzle").position;
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let best = moves
            .into_iter()
            .max_by_key(|&mv| game.move_priors(&position)(mv));
        let mut after = position;
        game.play(&mut after, best.expect("a move"));
        assert!(after.side == Side::P2 && after.isolated() != 0);
    }
}
