//! Arbiter of an unknown game: asks the engines.
//!
//! Both engines receive their queries at the same time, in one write each. The side to move is also asked for its legal
//! moves, if it lists them. If the engines disagree, a third engine may decide.

use std::time::Instant;

use kit::{Outcome, Rejection, Side};
use protocol::Query;
use protocol::text::excerpt;

use super::{Ruling, Seats, answered_by, answers, ask, responses};
use crate::client::Fault;
use crate::player::{Player, wait_until_ready};

/// State of a game as determined from the engines' answers.
pub(super) struct QueryJudge<'a> {
    side: Side,
    /// Legal moves listed by the side to move. `None` if it lists none; then any move is accepted.
    legal: Option<Vec<String>>,
    referee: Option<&'a mut dyn Player>,
}

impl<'a> QueryJudge<'a> {
    pub(super) fn new(referee: Option<&'a mut dyn Player>) -> QueryJudge<'a> {
        QueryJudge {
            side: Side::P1,
            legal: None,
            referee,
        }
    }

    /// Asks p1 which side moves first; after that, the sides alternate.
    pub(super) fn begin(
        &mut self,
        position: &str,
        players: &mut Seats<'_>,
    ) -> Result<(), (Side, Fault)> {
        let blame = |fault| (Side::P1, fault);
        let asked = answered_by(players[0], &[Query::P1Turn]);
        ask(players[0], position, &asked).map_err(blame)?;
        let answers = responses(players[0], asked.len()).map_err(blame)?;
        let is_p2 = answers.first().is_some_and(|answer| answer == "false");
        self.side = if is_p2 { Side::P2 } else { Side::P1 };
        // If the third engine fails, this game relies on the players' answers; the next game starts that engine again.
        if let Some(referee) = &mut self.referee
            && let Err(fault) = begin_and_wait(*referee)
        {
            referee.on_forfeit();
            self.referee = None;
            if fault.is_stop() {
                return Err((Side::P1, fault));
            }
        }
        Ok(())
    }

    pub(super) fn side(&self) -> Side {
        self.side
    }

    pub(super) fn play(&mut self, code: &str) -> Result<String, Rejection> {
        if self
            .legal
            .as_ref()
            .is_some_and(|legal| !legal.iter().any(|known| known == code))
        {
            let code = excerpt(code);
            return Err(Rejection(format!(
                "{code}: not among the moves that its engine lists"
            )));
        }
        self.side = self.side.other();
        Ok(code.to_owned())
    }

    pub(super) fn rule(
        &mut self,
        position: &str,
        players: &mut Seats<'_>,
    ) -> Result<Ruling, (Side, Fault)> {
        let mover = self.side.index();
        let lists = !answered_by(players[mover], &[Query::Moves]).is_empty();
        let mut n_questions = [2, 2];
        n_questions[mover] += usize::from(lists);
        const QUESTIONS: [Query; 3] = [Query::GameOver, Query::Result, Query::Moves];
        for side in Side::BOTH {
            let questions = &QUESTIONS[..n_questions[side.index()]];
            ask(players[side.index()], position, questions).map_err(|fault| (side, fault))?;
        }
        let answers = answers(players, n_questions)?;
        self.legal = lists.then(|| {
            answers[mover][2]
                .split_whitespace()
                .map(str::to_owned)
                .collect()
        });
        Ok(self.compare(position, &answers, players))
    }

    fn compare(
        &mut self,
        position: &str,
        answers: &[Vec<String>; 2],
        players: &Seats<'_>,
    ) -> Ruling {
        match answers
            .each_ref()
            .map(|answers| read(&answers[0], &answers[1]))
        {
            [Some(p1), Some(p2)] if p1 == p2 => ruling(p1),
            _ => self.ask_arbiter(position).unwrap_or_else(|| {
                let told = |at: usize| {
                    let (over, result) = (excerpt(&answers[at][0]), excerpt(&answers[at][1]));
                    format!(
                        "{} answers gameover {over}, result {result}",
                        players[at].name()
                    )
                };
                Ruling::Unclear(format!("{}; {}", told(0), told(1)))
            }),
        }
    }

    /// The ruling of the third engine, if there is one and its answers are valid. After a fault it is not asked again.
    fn ask_arbiter(&mut self, position: &str) -> Option<Ruling> {
        let referee = self.referee.as_deref_mut()?;
        let questions = [Query::GameOver, Query::Result];
        let answers =
            ask(referee, position, &questions).and_then(|()| responses(referee, questions.len()));
        let Ok(answers) = answers else {
            referee.on_forfeit();
            self.referee = None;
            return None;
        };
        let [over, result] = answers.as_slice() else {
            return None;
        };
        read(over, result).map(ruling)
    }
}

fn begin_and_wait(player: &mut dyn Player) -> Result<(), Fault> {
    player.begin(Instant::now())?;
    wait_until_ready(player)
}

fn ruling(outcome: Option<Outcome>) -> Ruling {
    outcome.map_or(Ruling::GoesOn, Ruling::Over)
}

/// Interprets two answers. The inner `None` means that the game continues, the outer one that the answers are invalid.
fn read(over: &str, result: &str) -> Option<Option<Outcome>> {
    match (over, result) {
        ("false", _) => Some(None),
        ("true", "p1win") => Some(Some(Outcome::Win(Side::P1))),
        ("true", "p2win") => Some(Some(Outcome::Win(Side::P2))),
        ("true", "draw") => Some(Some(Outcome::Draw)),
        _ => None,
    }
}
