//! Tests one position of the game's table: answers, illegal moves, and a search.

use kit::CheckPosition;
use protocol::text::excerpt;
use protocol::{Query, Reply};
use record::opening::Opening;
use record::registry::Rules;
use referee::arbiter::right_answer;
use referee::player::SetOption;

use crate::case::{Case, board};
use crate::contrast::{contrast, is_reordered};
use crate::dialogue::Dialogue;
use crate::report::{Finding, ensure, fail};
use crate::table::{Chapter, opening};

/// Number of positions queried in one write.
const N_AT_ONCE: usize = 16;

/// The queries whose answers depend on the position.
const QUERIES: [Query; 5] = [
    Query::P1Turn,
    Query::GameOver,
    Query::Result,
    Query::Moves,
    Query::Fen,
];

/// A fault found in a position.
#[derive(Debug, Clone)]
pub(super) struct Miss {
    pub(super) finding: Finding,
    /// The fault concerns the rule that the position tests. A position may also reveal faults in other rules.
    pub(super) is_its_rule: bool,
}

/// A fault in the rule that the position tests.
fn its_rule(finding: Finding) -> Miss {
    Miss {
        finding,
        is_its_rule: true,
    }
}

/// A fault in another rule than the position tests.
fn another_rule(finding: Finding) -> Miss {
    Miss {
        finding,
        is_its_rule: false,
    }
}

/// A wrong answer with the correct one.
#[derive(Debug)]
struct Difference {
    query: Query,
    actual: String,
    expected: String,
}

impl Difference {
    /// `true` if the difference concerns what the position tests: the end of the game, or the codes that it names.
    fn is_about(&self, position: &CheckPosition) -> bool {
        let forbids_alone = position.legal.is_empty() && !position.illegal.is_empty();
        match self.query {
            _ if position.mate.is_some() => false,
            Query::GameOver | Query::Result => position.outcome.is_some() || !forbids_alone,
            Query::Moves => {
                let is_listed = |code: &str| self.actual.split_whitespace().any(|one| one == code);
                let lacks = position
                    .legal
                    .split_whitespace()
                    .any(|code| !is_listed(code));
                lacks || position.illegal.split_whitespace().any(is_listed)
            }
            _ => position.outcome.is_none(),
        }
    }
}

/// Tests positions one after the other in one process.
pub(super) struct Trial<'a> {
    rules: &'a Rules,
    /// Options to set in a new process.
    options: &'a [SetOption],
    /// The queries that the engine answers.
    queries: Vec<Query>,
    dialogue: &'a mut Dialogue,
}

impl<'a> Trial<'a> {
    pub(super) fn new(
        case: &Case<'_>,
        chapter: &'a Chapter,
        dialogue: &'a mut Dialogue,
    ) -> Trial<'a> {
        Trial {
            rules: &chapter.rules,
            options: &chapter.options,
            queries: QUERIES
                .into_iter()
                .filter(|query| case.answers(*query))
                .collect(),
            dialogue,
        }
    }

    /// Tests the position itself first, then the positions before and after it.
    pub(super) fn judge(&mut self, position: &CheckPosition) -> Result<(), Miss> {
        let line = opening(position);
        let queries = self.queries.clone();
        self.compare_final(position, &line, &queries)?;
        for code in position.illegal.split_whitespace() {
            self.refuse(&line, code).map_err(its_rule)?;
        }
        for plies in 0..line.moves.len() {
            let moves = line.moves[..plies].to_vec();
            let fen = line.fen.clone();
            let earlier = Opening { fen, moves };
            self.compare(&earlier, &queries).map_err(another_rule)?;
        }
        self.compare_children(&line).map_err(another_rule)?;
        self.search(&line).map_err(another_rule)
    }

    fn compare_final(
        &mut self,
        position: &CheckPosition,
        line: &Opening,
        queries: &[Query],
    ) -> Result<(), Miss> {
        self.dialogue.set(line).map_err(its_rule)?;
        let difference = self.difference(line, queries).map_err(another_rule)?;
        let Some(difference) = difference else {
            return Ok(());
        };
        let finding = self.finding(line, &difference);
        Err(Miss {
            finding,
            is_its_rule: difference.is_about(position),
        })
    }

    /// Compares the answers about a position with the rules.
    fn compare(&mut self, line: &Opening, queries: &[Query]) -> Result<(), Finding> {
        self.dialogue.set(line)?;
        match self.difference(line, queries)? {
            None => Ok(()),
            Some(difference) => Err(self.finding(line, &difference)),
        }
    }

    fn finding(&self, line: &Opening, difference: &Difference) -> Finding {
        let Difference {
            query,
            actual,
            expected,
        } = difference;
        let lines = [
            format!("position {line}"),
            format!("query {}", query.word()),
        ];
        let text = format!("{}: {}", lines.join(", "), contrast(actual, expected));
        self.shown(fail(text), &lines)
    }

    /// Returns the first wrong answer to these queries in a position.
    fn difference(
        &mut self,
        line: &Opening,
        queries: &[Query],
    ) -> Result<Option<Difference>, Finding> {
        let asked: Vec<String> = queries
            .iter()
            .map(|query| format!("query {}", query.word()))
            .collect();
        let mut answers = self.answers(&asked.join("\n"))?.into_iter();
        let board = board(self.rules, line);
        let compared = queries.iter().map(|&query| Difference {
            query,
            actual: answers.next().unwrap_or_else(|| "nothing".to_owned()),
            expected: right_answer(&*board, query).unwrap_or_default(),
        });
        // Another step tests the order of moves.
        let is_right = |one: &Difference| match one.query {
            Query::Moves => is_reordered(&one.actual, &one.expected),
            _ => one.actual == one.expected,
        };
        Ok(compared.into_iter().find(|one| !is_right(one)))
    }

    /// Sends lines and returns the responses and errors.
    fn answers(&mut self, lines: &str) -> Result<Vec<String>, Finding> {
        let output = self.dialogue.ask(lines)?;
        let answer = |reply| match reply {
            Some(Reply::Response(text)) => Some(text),
            Some(Reply::Error(why)) => Some(format!("info error {why}")),
            _ => None,
        };
        Ok(output
            .into_iter()
            .filter_map(|output| answer(output.reply))
            .collect())
    }

    /// Compares `gameover` and `result` with the rules after each legal move.
    fn compare_children(&mut self, line: &Opening) -> Result<(), Finding> {
        let ends = [Query::GameOver, Query::Result];
        let ends: Vec<Query> = ends
            .into_iter()
            .filter(|query| self.queries.contains(query))
            .collect();
        let moves = board(self.rules, line).moves();
        let child = |code: &String| {
            let mut next = line.clone();
            next.moves.push(code.clone());
            next
        };
        let children: Vec<Opening> = moves.iter().map(child).collect();
        for children in children.chunks(N_AT_ONCE) {
            if !self.are_right(children, &ends)? {
                // Repeat them one at a time, so that the finding names the first wrong position.
                for child in children {
                    self.compare(child, &ends)?;
                }
            }
        }
        Ok(())
    }

    /// `true` if the answers about several positions are right. One write asks about all of them, which saves most of
    /// the time.
    fn are_right(&mut self, openings: &[Opening], queries: &[Query]) -> Result<bool, Finding> {
        let mut asked = Vec::new();
        let mut expected = Vec::new();
        for opening in openings {
            asked.push(format!("position {opening}"));
            let board = board(self.rules, opening);
            for &query in queries {
                asked.push(format!("query {}", query.word()));
                expected.push(right_answer(&*board, query).unwrap_or_default());
            }
        }
        self.dialogue.forget_position();
        match self.answers(&asked.join("\n")) {
            Ok(answers) => Ok(answers == expected),
            Err(_) => self.dialogue.restart(self.options).map(|()| false),
        }
    }

    /// An illegal code leaves the position unchanged.
    fn refuse(&mut self, line: &Opening, code: &str) -> Result<(), Finding> {
        let mut wrong = line.clone();
        wrong.moves.push(code.to_owned());
        let wrong = format!("position {wrong}");
        self.dialogue.set(line)?;
        let is_refused = !self.answers(&wrong)?.is_empty();
        let queries = self.queries.clone();
        let Some(difference) = self.difference(line, &queries)? else {
            return Ok(());
        };
        let how = match is_refused {
            true => "is rejected, but changes the position",
            false => "is played",
        };
        let query = format!("query {}", difference.query.word());
        let text = format!("{wrong}: the illegal move {code} {how}");
        Err(self.shown(fail(text), &[format!("position {line}"), wrong, query]))
    }

    /// A search returns a legal move, or `none` if the game is over.
    fn search(&mut self, line: &Opening) -> Result<(), Finding> {
        self.dialogue.set(line)?;
        let found = self.dialogue.go("depth 1")?.answered()?;
        let mut board = board(self.rules, line);
        if board.outcome().is_some() {
            return ensure(found.code == "none", || {
                let code = excerpt(&found.code);
                format!("plays {code} in a finished game: position {line}")
            });
        }
        board
            .play(&found.code)
            .map(|_| ())
            .map_err(|why| fail(format!("bestmove is illegal after position {line}: {why}")))
    }

    /// Adds the set-up and these lines as input that reproduces the finding.
    fn shown(&self, finding: Finding, lines: &[String]) -> Finding {
        let setup = self.dialogue.transcript().setup_lines();
        finding.shown_by(setup.chain(lines.iter().cloned()).collect())
    }
}
