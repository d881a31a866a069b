//! Review of a game ply by ply: the loss of each move.

use super::{ReviewedPly, THROWN_AWAY};
use kit::{DynHistory, Outcome, Rejection, Side};
use protocol::Info;
use record::game::Points;
use record::opening::Opening;
use record::registry::Rules;

use super::lines::legal_part;
use crate::arbiter::Arbiter;

/// The evaluation of a position for the side to move.
#[derive(Debug, Clone, Default)]
struct Worth {
    score: Option<Points>,
    best: Option<String>,
    line: Vec<String>,
}

/// A review in progress: one search for each unfinished position of the game.
pub struct Review {
    moves: Vec<String>,
    /// The position to search now.
    game: Arbiter,
    /// Number of moves played on the board, or one more after the end of the review.
    at: usize,
    /// The evaluation of the previous position.
    before: Option<Worth>,
}

impl Review {
    /// Starts the review of a game; `moves` follow the opening.
    ///
    /// # Errors
    /// The opening is not legal. An illegal move in `moves` ends the review but is not an error.
    pub fn new(rules: &Rules, opening: &Opening, moves: Vec<String>) -> Result<Review, Rejection> {
        let board = rules.open(opening)?;
        let mut played = board.fork();
        let moves = moves
            .iter()
            .map_while(|code| played.play(code).ok())
            .collect();
        Ok(Review {
            moves,
            game: Arbiter::rules(board, opening),
            at: 0,
            before: None,
        })
    }

    fn now(&self) -> &dyn DynHistory {
        self.game.board().expect("the rules are known")
    }

    /// Number of moves to review.
    pub fn n_plies(&self) -> usize {
        self.moves.len()
    }

    /// The next `position` line to search; `None` at the end.
    pub fn position(&self) -> Option<&str> {
        (self.at <= self.moves.len() && !self.moves.is_empty()).then(|| self.game.position())
    }

    /// The next position to search.
    pub fn board(&self) -> Box<dyn DynHistory> {
        self.now().fork()
    }

    /// The side to move in the next position.
    pub fn side(&self) -> Side {
        self.game.side()
    }

    /// Adds an engine's evaluation of [`position`](Review::position) and advances to the next one. Returns the moves
    /// reviewed by it: none for the first position, two if the last move ended the game.
    pub fn take(&mut self, best: &str, thought: &Info) -> Vec<ReviewedPly> {
        let mut after = self.board();
        let best = after.play(best).ok();
        let worth = Worth {
            score: thought.score.map(Into::into),
            best,
            line: legal_part(self.now(), &thought.pv),
        };
        let mut plies: Vec<ReviewedPly> = self.weigh(worth).into_iter().collect();
        if self.at == self.moves.len()
            && let Some(outcome) = self.now().outcome()
        {
            // The score for the side that would move next.
            let score = Some(match outcome {
                Outcome::Win(winner) if winner == self.side() => Points::Mate(1),
                Outcome::Win(_) => Points::Mate(0),
                Outcome::Draw => Points::Draw,
            });
            plies.extend(self.weigh(Worth {
                score,
                ..Worth::default()
            }));
        }
        plies
    }

    /// Compares the evaluations before and after the last move, then plays the next one.
    fn weigh(&mut self, worth: Worth) -> Option<ReviewedPly> {
        let made = self.at.checked_sub(1).map(|made| self.moves[made].clone());
        let side = self.side().other();
        let ply = made
            .zip(self.before.take())
            .map(|(code, before)| compare(code, side, before, &worth));
        self.before = Some(worth);
        if let Some(code) = self.moves.get(self.at) {
            self.game.play(code).expect("it was played before");
        }
        self.at += 1;
        ply
    }
}

/// Computes the loss of a move from the evaluations before and after it. `after` is from the opponent's point of view.
fn compare(code: String, side: Side, before: Worth, after: &Worth) -> ReviewedPly {
    let turned = after.score.map(turn);
    let is_best = before.best.as_ref() == Some(&code);
    let loss = match (before.score, turned) {
        (Some(before), Some(after)) if !is_best => (win_share(before) - win_share(after)).max(0.0),
        _ => 0.0,
    };
    let is_proven = |score: Option<Points>| matches!(score, Some(Points::Mate(_) | Points::Draw));
    ReviewedPly {
        code,
        side,
        before: before.score,
        after: turned,
        best: before.best,
        line: before.line,
        loss: (loss * 1000.0).round() / 1000.0,
        threw_away: loss >= THROWN_AWAY,
        is_exact: is_proven(before.score) && is_proven(after.score),
    }
}

/// Converts a score to the opponent's point of view, counted from one ply earlier.
fn turn(score: Points) -> Points {
    match score {
        Points::Cp(cp) => Points::Cp(cp.saturating_neg()),
        Points::Mate(count) if count > 0 => Points::Mate(count.saturating_add(1).saturating_neg()),
        Points::Mate(count) => Points::Mate(count.saturating_neg().saturating_add(1)),
        Points::Draw => Points::Draw,
    }
}

/// Score in hundredths that multiplies the odds of winning by ten, as in Elo.
const TENFOLD: f64 = 400.0;

/// The expected points, 0 to 1, of the player from whose point of view the score is given: Elo's logistic curve, and 1
/// or 0 for a mate. A Monte Carlo search computes its scores by this curve, so the conversion is exact there; for an
/// evaluation it is an estimate.
pub fn win_share(score: Points) -> f64 {
    match score {
        Points::Cp(cp) => 1.0 / (1.0 + 10_f64.powf(-f64::from(cp) / TENFOLD)),
        Points::Mate(count) if count > 0 => 1.0,
        Points::Mate(_) => 0.0,
        Points::Draw => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use protocol::Score;

    use super::*;
    use crate::record_testing::rules;

    fn thought(score: Score, line: &str) -> Info {
        Info {
            score: Some(score),
            pv: line.split(' ').map(str::to_owned).collect(),
            ..Info::default()
        }
    }

    fn review(opening: &str, moves: &str) -> Review {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        let opening = Opening::parse(opening);
        Review::new(&rules(), &opening, moves).expect("an opening")
    }

    /// The reviewed moves after these answers of an engine, each a score and a line.
    fn told(mut review: Review, answers: &[(Score, &str)]) -> Vec<ReviewedPly> {
        let mut plies = Vec::new();
        for (score, line) in answers {
            assert!(review.position().is_some(), "{line}: nothing is left");
            let best = line.split(' ').next().expect("a move");
            plies.extend(review.take(best, &thought(*score, line)));
        }
        assert_eq!(review.position(), None, "all is done");
        plies
    }

    /// Heaps of 1 and 2: only b1 wins for player 1.
    const WON: &str = "fen 1/2 p1";

    #[test]
    fn positions_follow_the_game() {
        let opened = review("startpos moves a1", "b1");
        assert_eq!(opened.position(), Some("position startpos moves a1"));
        let mut review = review(WON, "a1 B1 b1");
        assert_eq!(review.n_plies(), 3);
        assert_eq!(review.position(), Some("position fen 1/2 p1 moves"));
        assert_eq!(review.take("b1", &thought(Score::Mate(3), "b1")), []);
        assert_eq!(review.position(), Some("position fen 1/2 p1 moves a1"));
    }

    #[test]
    fn a_proven_win_that_is_given_away_is_exact() {
        // Player 1 takes the wrong heap, player 2 all of the other one and so the last stone.
        let answers = [(Score::Mate(3), "b1 a1 b1"), (Score::Mate(1), "b2")];
        let plies = told(review(WON, "a1 b2"), &answers);
        let [blunder, win] = &plies[..] else {
            panic!("{plies:?}");
        };
        assert_eq!((blunder.code.as_str(), blunder.side), ("a1", Side::P1));
        assert_eq!(blunder.before, Some(Points::Mate(3)));
        assert_eq!(blunder.after, Some(Points::Mate(-2)));
        assert_eq!(blunder.best.as_deref(), Some("b1"));
        assert_eq!(blunder.line, ["b1", "a1", "b1"]);
        assert_eq!((blunder.loss, blunder.threw_away), (1.0, true));
        assert!(blunder.is_exact);
        assert_eq!(
            (win.side, win.before, win.after),
            (Side::P2, Some(Points::Mate(1)), Some(Points::Mate(1)))
        );
        assert_eq!((win.loss, win.threw_away, win.is_exact), (0.0, false, true));
    }

    /// For each move of a game, the share of a win that it loses, and whether it threw the game away and is exact.
    #[test]
    fn a_loss_is_counted_in_shares_of_a_win() {
        let [cp, mate] = [Score::Cp as fn(i32) -> Score, Score::Mate];
        for (opening, moves, answers, expected) in [
            // A draw known from a table is exact; a score of 0 from a search is not.
            (
                WON,
                "a1",
                &[(mate(3), "b1"), (Score::Draw, "b2")][..],
                &[(0.5, true, true)][..],
            ),
            (
                WON,
                "a1",
                &[(mate(3), "b1"), (cp(0), "b2")],
                &[(0.5, true, false)],
            ),
            (
                "startpos",
                "a1 b1",
                &[(cp(0), "b2"), (cp(191), "a1"), (cp(-100), "c1")],
                &[(0.25, true, false), (0.11, false, false)],
            ),
            // The engine's own move, and a won game that stays won though the proof is lost.
            (
                "startpos",
                "A1",
                &[(cp(50), "a1"), (cp(400), "b1")],
                &[(0.0, false, false)],
            ),
            (
                "startpos",
                "a1",
                &[(mate(9), "b2"), (cp(-900), "b1")],
                &[(0.006, false, false)],
            ),
        ] {
            let plies = told(review(opening, moves), answers);
            let found = plies
                .iter()
                .map(|ply| (ply.loss, ply.threw_away, ply.is_exact));
            assert_eq!(found.collect::<Vec<_>>(), expected, "{answers:?}");
        }
    }

    #[test]
    fn an_engine_without_scores_marks_nothing() {
        let mut review = review("startpos", "a1");
        review.take("b2", &Info::default());
        let plies = review.take("b1", &Info::default());
        assert_eq!((plies[0].before, plies[0].after), (None, None));
        assert_eq!(plies[0].loss, 0.0);
    }

    #[test]
    fn a_game_without_moves_has_nothing_to_review() {
        assert_eq!(review("startpos", "").position(), None);
    }

    #[test]
    fn a_mate_is_counted_from_before_the_move() {
        for (score, turned) in [(3, -4), (1, -2), (0, 1), (-2, 3)] {
            assert_eq!(turn(Points::Mate(score)), Points::Mate(turned));
        }
        assert_eq!(turn(Points::Cp(i32::MIN)), Points::Cp(i32::MAX));
    }

    #[test]
    fn scores_become_shares() {
        for (score, share) in [
            (Points::Cp(0), 0.5),
            (Points::Draw, 0.5),
            (Points::Cp(191), 0.75),
            (Points::Cp(-191), 0.25),
            (Points::Cp(i32::MAX), 1.0),
            (Points::Cp(i32::MIN), 0.0),
            (Points::Mate(9), 1.0),
            (Points::Mate(0), 0.0),
            (Points::Mate(-9), 0.0),
        ] {
            assert!((win_share(score) - share).abs() < 0.001, "{score:?}");
        }
    }
}
