//! Rulings on a game without rules, from the answers of both engines.
//!
//! After every move each engine is asked in one write: for the end, the result, the side to move, and the legal moves if
//! it lists them. What only one of them accepts is a disagreement, and the game ends without a result.

use kit::{Outcome, Rejection, Side};
use protocol::Query;
use protocol::text::{excerpt, is_unsafe, masked};

use super::{Answers, Ruling};
use crate::engine::{Complaint, Fault};

/// The queries about each position, as far as an engine answers them.
pub const QUESTIONS: [Query; 4] = [Query::GameOver, Query::Result, Query::P1Turn, Query::Moves];

/// The query for the position strings.
const FEN: &[Query] = &[Query::Fen];

/// Maximum length of a position string in a report, in characters.
const MAX_FEN: usize = 1000;

/// State of a game as determined from the engines' answers.
pub(super) struct QueryJudge {
    /// Those of the [`QUESTIONS`] that each engine answers.
    known: [Vec<Query>; 2],
    /// Which of them also answer `query fen`.
    shows: [bool; 2],
    step: Step,
    /// By p1, in the first position; after that, the sides alternate.
    side: Option<Side>,
    /// The legal moves by each engine, as it lists them. `None` if it lists none; then any move is accepted.
    legal: [Option<String>; 2],
    /// The last move, if the other engine does not list it.
    disputed: Option<String>,
}

/// The next query.
enum Step {
    /// All about the position.
    Position,
    /// The position strings, to show a disagreement: of those engines that did not reject the position.
    Strings { why: String, of: [bool; 2] },
    /// Nothing.
    Ruled(Ruling),
}

/// The answers of an engine about a position. Those of two engines are compared by [`difference`](Statement::difference)
/// alone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statement<'a> {
    pub(crate) is_over: bool,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) is_p1_turn: Option<bool>,
    /// The legal moves, if it lists them, separated by blanks.
    pub moves: Option<&'a str>,
    /// The reason for which it rejects the position.
    pub rejects: Option<String>,
}

impl QueryJudge {
    /// A judge of engines that answer these queries.
    pub(super) fn new(known: [Vec<Query>; 2]) -> QueryJudge {
        let asked = |known: &Vec<Query>| {
            let questions = QUESTIONS.into_iter();
            questions.filter(|query| known.contains(query)).collect()
        };
        QueryJudge {
            shows: known.each_ref().map(|known| known.contains(&Query::Fen)),
            known: known.each_ref().map(asked),
            step: Step::Position,
            side: None,
            legal: [None, None],
            disputed: None,
        }
    }

    /// The queries whose answers the next ruling needs; `None` if there is a ruling.
    pub(super) fn queries(&self) -> Option<[&[Query]; 2]> {
        match self.step {
            Step::Position => Some(self.known.each_ref().map(Vec::as_slice)),
            Step::Strings { of, .. } => Some(of.map(|is_asked| if is_asked { FEN } else { &[] })),
            Step::Ruled(_) => None,
        }
    }

    /// The ruling about the position, once the answers are known.
    pub(super) fn ruling(&self) -> Option<&Ruling> {
        match &self.step {
            Step::Ruled(ruling) => Some(ruling),
            _ => None,
        }
    }

    /// Takes the answers to [`queries`](QueryJudge::queries). `names` are those of p1 and p2.
    ///
    /// # Errors
    /// The side whose engine is at fault.
    pub(super) fn told(
        &mut self,
        answers: &[Answers; 2],
        names: &[String; 2],
    ) -> Result<(), (Side, Fault)> {
        match std::mem::replace(&mut self.step, Step::Position) {
            Step::Position => self.rule(answers, names)?,
            Step::Strings { why, .. } => {
                let ruling = Ruling::Unclear(why + &positions(answers, names));
                self.step = Step::Ruled(ruling);
            }
            ruled @ Step::Ruled(_) => self.step = ruled,
        }
        Ok(())
    }

    pub(super) fn side(&self) -> Side {
        self.side.unwrap_or(Side::P1)
    }

    pub(super) fn play(&mut self, code: &str) -> Result<String, Rejection> {
        if !is_code(code) {
            let why = "too long for a move, or with control characters";
            return Err(format!("{}: {why}", excerpt(code)).into());
        }
        let side = self.side();
        let [own, other] = [side, side.other()].map(|side| {
            let legal = self.legal[side.index()].as_ref();
            legal.is_none_or(|legal| legal.split_whitespace().any(|known| known == code))
        });
        if !own {
            let code = excerpt(code);
            return Err(format!("{code}: not among the moves that its engine lists").into());
        }
        self.disputed = (!other).then(|| code.to_owned());
        self.step = Step::Position;
        self.side = Some(side.other());
        Ok(code.to_owned())
    }

    fn rule(&mut self, answers: &[Answers; 2], names: &[String; 2]) -> Result<(), (Side, Fault)> {
        let read = |at: usize| Statement::read(&self.known[at], &answers[at]);
        let statements = match [0, 1].map(read) {
            [Ok(p1), Ok(p2)] => [p1, p2],
            [Err(fault), Ok(_)] => return Err((Side::P1, fault)),
            [Ok(_), Err(fault)] => return Err((Side::P2, fault)),
            [Err(p1), Err(p2)] => {
                let both = format!("{} {p1}; {} {p2}", names[0], names[1]);
                self.step = Step::Ruled(Ruling::Unclear(both));
                return Ok(());
            }
        };
        self.side.get_or_insert(match statements[0].is_p1_turn {
            Some(false) => Side::P2,
            _ => Side::P1,
        });
        let disputed = self.disputed.take();
        self.step = match self.by_agreement(&statements, disputed, names) {
            Ruling::Unclear(why) => {
                let shows = |at: usize| self.shows[at] && statements[at].rejects.is_none();
                let of = [0, 1].map(shows);
                Step::Strings { why, of }
            }
            ruling => Step::Ruled(ruling),
        };
        self.legal = statements.map(|statement| statement.moves.map(str::to_owned));
        Ok(())
    }

    /// The ruling of two engines that agree.
    fn by_agreement(
        &self,
        statements: &[Statement<'_>; 2],
        disputed: Option<String>,
        names: &[String; 2],
    ) -> Ruling {
        let name = |side: Side| &names[side.index()];
        if let Some(code) = disputed {
            let (mover, other) = (name(self.side().other()), name(self.side()));
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
        match p1.difference(p2) {
            // Only a move that is played can be in dispute.
            None | Some(Query::Moves) if !p1.is_over => Ruling::GoesOn,
            _ => {
                let (p1, p2) = (p1.text(), p2.text());
                Ruling::Unclear(format!("{} {p1}; {} {p2}", names[0], names[1]))
            }
        }
    }
}

/// The position strings by the engines that were asked for them, in words.
fn positions(answers: &[Answers; 2], names: &[String; 2]) -> String {
    let shown = answers.iter().zip(names).filter_map(|(answers, name)| {
        let fen = answers.texts.lines().next()?;
        Some((name, masked(fen, MAX_FEN)))
    });
    let text = |(name, fen): &(&String, String)| format!("; position of {name}: {fen}");
    match shown.collect::<Vec<_>>().as_slice() {
        [(_, first), (_, second)] if first == second => format!("; position: {first}"),
        shown => shown.iter().map(text).collect(),
    }
}

impl<'a> Statement<'a> {
    /// Reads the answers to some of the [`QUESTIONS`].
    ///
    /// # Errors
    /// An answer is none to its query.
    pub fn read(queries: &[Query], answers: &'a Answers) -> Result<Statement<'a>, Fault> {
        let complaint: Option<&Complaint> = answers.complaint.as_ref();
        let rejection = complaint.filter(|complaint| complaint.command == "position");
        let mut statement = Statement {
            rejects: rejection.map(|complaint| excerpt(&complaint.words)),
            ..Statement::default()
        };
        for (query, answer) in queries.iter().zip(answers.texts.split('\n')) {
            match query {
                Query::GameOver => statement.is_over = truth(*query, answer)?,
                Query::P1Turn => statement.is_p1_turn = Some(truth(*query, answer)?),
                Query::Moves => statement.moves = Some(answer),
                _ => {
                    let unknown = || Fault::unintelligible(*query, answer);
                    statement.outcome = Outcome::from_result_word(answer).ok_or_else(unknown)?;
                }
            }
        }
        Ok(statement)
    }

    /// The first query about which two engines differ. In a finished game they may differ in whose turn would be next.
    pub fn difference(&self, other: &Statement<'_>) -> Option<Query> {
        let turns = self.is_p1_turn.zip(other.is_p1_turn);
        let moves = self.moves.zip(other.moves);
        if self.is_over != other.is_over {
            Some(Query::GameOver)
        } else if self.outcome != other.outcome {
            Some(Query::Result)
        } else if !self.is_over && turns.is_some_and(|(own, other)| own != other) {
            Some(Query::P1Turn)
        } else {
            let differ = moves.is_some_and(|(own, other)| !is_same(Query::Moves, own, other));
            differ.then_some(Query::Moves)
        }
    }

    /// The answer to one of the [`QUESTIONS`].
    pub fn answer(&self, query: Query) -> String {
        match query {
            Query::GameOver => self.is_over.to_string(),
            Query::P1Turn => self.is_p1_turn.iter().map(bool::to_string).collect(),
            Query::Moves => self.moves.unwrap_or_default().to_owned(),
            _ => Outcome::result_word(self.outcome).to_owned(),
        }
    }

    /// The statement in words, after the name of its engine.
    fn text(&self) -> String {
        let (over, result) = (self.is_over, self.answer(Query::Result));
        let turn = self.is_p1_turn.map(|turn| format!(", p1turn {turn}"));
        let turn = turn.unwrap_or_default();
        format!("answers gameover {over}, result {result}{turn}")
    }
}

/// `true` if two answers to a query are the same. Moves may come in any order.
pub fn is_same(query: Query, one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let [one, other] = [one, other].map(|text| text.split_whitespace().collect::<Vec<_>>());
    one == other || query == Query::Moves && is_reordered(&one, &other)
}

/// `true` if two lists have the same items, in any order.
pub fn is_reordered<T: Ord>(one: &[T], other: &[T]) -> bool {
    let sorted = |items| {
        let mut items = Vec::from_iter(items);
        items.sort_unstable();
        items
    };
    one.len() == other.len() && (one == other || sorted(one) == sorted(other))
}

/// Maximum length of a move code in a game with unknown rules, in bytes.
const MAX_CODE: usize = 100;

/// `true` for a text that may be a move code of any game.
pub fn is_code(code: &str) -> bool {
    (1..=MAX_CODE).contains(&code.len())
        && !code.contains(|c: char| c.is_whitespace() || is_unsafe(c))
}

fn truth(query: Query, answer: &str) -> Result<bool, Fault> {
    answer
        .parse()
        .map_err(|_| Fault::unintelligible(query, answer))
}
