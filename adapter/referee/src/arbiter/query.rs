//! Rulings on a game without rules, from the answers of both engines.
//!
//! After every move each engine is asked in one write: for the end, the result, the side to move, and the legal moves if
//! it lists them. What only one of them accepts is a disagreement, and the game ends without a result.

use kit::{Outcome, Rejection, Side};
use protocol::Query;
use protocol::text::{excerpt, masked};

use super::{Ruling, Seats, answered_by, ask, ask_both, responses};
use crate::bounds::is_code;
use crate::client::{Complaint, Fault};
use crate::player::Player;

/// The queries about each position, as far as an engine answers them.
pub const QUESTIONS: [Query; 4] = [Query::GameOver, Query::Result, Query::P1Turn, Query::Moves];

/// Maximum length of a position string in a report, in characters.
const MAX_FEN: usize = 1000;

/// State of a game as determined from the engines' answers.
#[derive(Default)]
pub(super) struct QueryJudge {
    side: Side,
    /// The legal moves by each engine. `None` if it lists none; then any move is accepted.
    legal: [Option<Vec<String>>; 2],
    /// The last move, if the other engine does not list it.
    disputed: Option<String>,
}

/// The answers of an engine about a position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Statement {
    is_over: bool,
    outcome: Option<Outcome>,
    is_p1_turn: Option<bool>,
    moves: Option<Vec<String>>,
    /// The reason for which it rejects the position.
    rejects: Option<String>,
}

impl QueryJudge {
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
        let is_p1 = answers
            .first()
            .map_or(Ok(true), |answer| truth(Query::P1Turn, answer));
        self.side = match is_p1.map_err(blame)? {
            true => Side::P1,
            false => Side::P2,
        };
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
        let lists = |legal: &Option<Vec<String>>| {
            let legal = legal.as_ref();
            legal.is_none_or(|legal| legal.iter().any(|known| known == code))
        };
        let [own, other] = [self.side, self.side.other()].map(|side| &self.legal[side.index()]);
        if !lists(own) {
            let code = excerpt(code);
            return Err(Rejection(format!(
                "{code}: not among the moves that its engine lists"
            )));
        }
        self.disputed = (!lists(other)).then(|| code.to_owned());
        self.side = self.side.other();
        Ok(code.to_owned())
    }

    pub(super) fn rule(
        &mut self,
        position: &str,
        players: &mut Seats<'_>,
    ) -> Result<Ruling, (Side, Fault)> {
        let questions = players
            .each_mut()
            .map(|player| answered_by(*player, &QUESTIONS));
        let answers = ask_both(players, position, &questions)?;
        let read = |at: usize| read(&questions[at], &answers[at], players[at].complaint());
        let mut statements = match [read(0), read(1)] {
            [Ok(p1), Ok(p2)] => [p1, p2],
            [Err(fault), Ok(_)] => return Err((Side::P1, fault)),
            [Ok(_), Err(fault)] => return Err((Side::P2, fault)),
            [Err(p1), Err(p2)] => {
                let names = players.each_ref().map(|player| player.name());
                let both = format!("{} {p1}; {} {p2}", names[0], names[1]);
                return Ok(Ruling::Unclear(both));
            }
        };
        let disputed = self.disputed.take();
        let ruling = match self.by_agreement(&statements, disputed, players) {
            Ruling::Unclear(why) => {
                let rejected = statements.each_ref().map(|own| own.rejects.is_some());
                Ruling::Unclear(why + &self.positions(position, rejected, players)?)
            }
            ruling => ruling,
        };
        self.legal = statements
            .each_mut()
            .map(|statement| statement.moves.take());
        Ok(ruling)
    }

    /// The ruling of two engines that agree.
    fn by_agreement(
        &self,
        statements: &[Statement; 2],
        disputed: Option<String>,
        players: &Seats<'_>,
    ) -> Ruling {
        let name = |side: Side| players[side.index()].name();
        if let Some(code) = disputed {
            let (mover, other) = (name(self.side.other()), name(self.side));
            return Ruling::Unclear(format!("{mover} plays {code}, which {other} does not list"));
        }
        for side in Side::BOTH {
            if let Some(why) = &statements[side.index()].rejects {
                return Ruling::Unclear(format!("{} rejects the position: {why}", name(side)));
            }
        }
        let [p1, p2] = statements;
        // Equal results end the game even if an engine denies its end.
        if let Some(outcome) = p1.outcome.filter(|_| p1.outcome == p2.outcome) {
            return Ruling::Over(outcome);
        }
        match difference(p1, p2) {
            None if !p1.is_over => Ruling::GoesOn,
            _ => {
                let says =
                    |side: Side| format!("{} {}", name(side), statements[side.index()].text());
                Ruling::Unclear(format!("{}; {}", says(Side::P1), says(Side::P2)))
            }
        }
    }

    /// The position strings of the engines that did not reject the position, as far as they answer `query fen`.
    fn positions(
        &self,
        position: &str,
        rejected: [bool; 2],
        players: &mut Seats<'_>,
    ) -> Result<String, (Side, Fault)> {
        let mut shown: Vec<(String, String)> = Vec::new();
        for side in Side::BOTH {
            if rejected[side.index()] {
                continue;
            }
            let player = &mut *players[side.index()];
            let fen = position_string(player, position).map_err(|fault| (side, fault))?;
            let fen = fen.map(|fen| masked(&fen, MAX_FEN));
            shown.extend(fen.map(|fen| (player.name().to_owned(), fen)));
        }
        if let [(_, first), (_, second)] = shown.as_slice()
            && first == second
        {
            return Ok(format!("; position: {first}"));
        }
        let text = shown.iter();
        let text = text.map(|(name, fen)| format!("; position of {name}: {fen}"));
        Ok(text.collect())
    }
}

impl Statement {
    /// The statement in words, after the name of its engine.
    fn text(&self) -> String {
        let result = Outcome::result_word(self.outcome);
        let turn = self.is_p1_turn.map(|turn| format!(", p1turn {turn}"));
        format!(
            "answers gameover {}, result {result}{}",
            self.is_over,
            turn.unwrap_or_default()
        )
    }
}

/// The first difference of an engine's statement from another one, after the engine's name.
fn difference(own: &Statement, other: &Statement) -> Option<String> {
    if let Some(why) = &own.rejects {
        return Some(format!("rejects the position: {why}"));
    }
    let is_same =
        own.outcome == other.outcome && (own.is_over == other.is_over || own.outcome.is_some());
    let turns = own.is_p1_turn.zip(other.is_p1_turn);
    let is_other_turn = turns.is_some_and(|(own, other)| own != other);
    // In a finished game, engines differ in whose turn would be next.
    let is_over = own.outcome.is_some() && is_same;
    (!is_same || (is_other_turn && !is_over)).then(|| own.text())
}

/// The answer to `query fen`, if the player answers it.
fn position_string(player: &mut dyn Player, position: &str) -> Result<Option<String>, Fault> {
    let asked = answered_by(player, &[Query::Fen]);
    ask(player, position, &asked)?;
    Ok(responses(player, asked.len())?.pop())
}

/// Reads the answers to some of the [`QUESTIONS`], after the complaint about the position if there is one.
fn read(
    questions: &[Query],
    answers: &[String],
    complaint: Option<&Complaint>,
) -> Result<Statement, Fault> {
    let rejection = complaint.filter(|complaint| complaint.command == "position");
    let mut statement = Statement {
        rejects: rejection.map(|complaint| excerpt(&complaint.words)),
        ..Statement::default()
    };
    for (query, answer) in questions.iter().zip(answers) {
        match query {
            Query::GameOver => statement.is_over = truth(*query, answer)?,
            Query::P1Turn => statement.is_p1_turn = Some(truth(*query, answer)?),
            Query::Moves => {
                let codes = answer.split_whitespace().map(str::to_owned);
                statement.moves = Some(codes.collect());
            }
            _ => {
                let outcome = Outcome::from_result_word(answer);
                statement.outcome = outcome.ok_or_else(|| unintelligible(*query, answer))?;
            }
        }
    }
    Ok(statement)
}

fn truth(query: Query, answer: &str) -> Result<bool, Fault> {
    answer.parse().map_err(|_| unintelligible(query, answer))
}

fn unintelligible(query: Query, answer: &str) -> Fault {
    let answer = answer.to_owned();
    Fault::Unintelligible { query, answer }
}
