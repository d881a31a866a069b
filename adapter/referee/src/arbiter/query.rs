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
use crate::queue::check::is_code;

/// Answers to `query gameover` and `query result`.
type Answers = (bool, Option<Outcome>);

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
        let is_p1 = answers.first().map_or(Ok(true), |answer| {
            truth(answer).ok_or_else(|| unintelligible(Query::P1Turn, answer))
        });
        self.side = match is_p1.map_err(blame)? {
            true => Side::P1,
            false => Side::P2,
        };
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
        if !is_code(code) {
            let why = "too long for a move, or with control characters";
            return Err(Rejection(format!("{}: {why}", excerpt(code))));
        }
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
        let [p1, p2] = answers.each_ref().map(|answers| read(answers));
        let agreed = match (p1, p2) {
            (Ok(p1), Ok(p2)) => agreed(p1, p2),
            (Err(fault), Ok(_)) => return Err((Side::P1, fault)),
            (Ok(_), Err(fault)) => return Err((Side::P2, fault)),
            (Err(_), Err(_)) => None,
        };
        let agreed = agreed.or_else(|| self.ask_arbiter(position));
        Ok(agreed.unwrap_or_else(|| {
            let told = |at: usize| {
                let (over, result) = (excerpt(&answers[at][0]), excerpt(&answers[at][1]));
                let name = players[at].name();
                format!("{name} answers gameover {over}, result {result}")
            };
            Ruling::Unclear(format!("{}; {}", told(0), told(1)))
        }))
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
        match read(&answers).ok()? {
            (true, None) => None,
            (true, over) => over.map(Ruling::Over),
            (false, _) => Some(Ruling::GoesOn),
        }
    }
}

fn begin_and_wait(player: &mut dyn Player) -> Result<(), Fault> {
    player.begin(Instant::now())?;
    wait_until_ready(player)
}

/// Reads the answers to `query gameover` and `query result`.
fn read(answers: &[String]) -> Result<Answers, Fault> {
    let [over, result, ..] = answers else {
        return Ok((false, None));
    };
    let outcome = match result.as_str() {
        "none" => None,
        "p1win" => Some(Outcome::Win(Side::P1)),
        "p2win" => Some(Outcome::Win(Side::P2)),
        "draw" => Some(Outcome::Draw),
        _ => return Err(unintelligible(Query::Result, result)),
    };
    match truth(over) {
        Some(is_over) => Ok((is_over, outcome)),
        None => Err(unintelligible(Query::GameOver, over)),
    }
}

fn truth(answer: &str) -> Option<bool> {
    answer.parse().ok()
}

fn unintelligible(query: Query, answer: &str) -> Fault {
    let answer = answer.to_owned();
    Fault::Unintelligible { query, answer }
}

/// The ruling of two engines; `None` if they disagree. Equal results end the game even if an engine denies its end.
fn agreed(p1: Answers, p2: Answers) -> Option<Ruling> {
    match (p1, p2) {
        ((_, Some(p1)), (_, Some(p2))) if p1 == p2 => Some(Ruling::Over(p1)),
        ((false, _), (false, _)) => Some(Ruling::GoesOn),
        _ => None,
    }
}
