//! Tests one position of the game's table: answers, illegal moves, and a search.

use kit::dyn_history::expected_reply;
use kit::{CheckPosition, DynHistory};

use crate::case::Chapter;
use crate::contrast::{difference, is_same};
use crate::prelude::*;

/// Number of positions queried in one write.
const N_AT_ONCE: usize = 16;

/// Maximum number of moves after each of which the end of the game is compared, in the many positions of places.
const MAX_CHILDREN: usize = 40;

/// The queries whose answers depend on the position.
const QUERIES: [Query; 5] = [
    Query::P1Turn,
    Query::GameOver,
    Query::Result,
    Query::Moves,
    Query::Fen,
];

/// The queries about the end of the game.
const ENDS: [Query; 2] = [Query::GameOver, Query::Result];

/// A fault found in a position.
#[derive(Debug, Clone)]
pub(super) struct Miss {
    pub(super) finding: Finding,
    /// The fault concerns the rule that the position tests. A position may also reveal faults in other rules.
    pub(super) is_its_rule: bool,
}

/// Wraps a finding as a fault in the rule that the position tests, or in another rule.
fn miss(is_its_rule: bool) -> impl Fn(Finding) -> Miss {
    move |finding| Miss {
        finding,
        is_its_rule,
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
pub(super) struct Trial<'a, 'b> {
    /// The rules, and the options to set in a new process.
    pub(super) chapter: &'a Chapter,
    pub(super) dialogue: &'a mut Dialogue<'b>,
}

impl Trial<'_, '_> {
    fn board(&self, line: &Opening) -> Box<dyn DynHistory> {
        board(&self.chapter.rules, line)
    }

    /// Tests the position itself first, then the positions before and after it.
    pub(super) fn judge(&mut self, position: &CheckPosition) -> Result<(), Miss> {
        let line = Opening::from(position);
        self.dialogue.set(&line).map_err(miss(true))?;
        if let Some(wrong) = self.difference(&line, &QUERIES).map_err(miss(false))? {
            return Err(Miss {
                finding: self.finding(&line, &wrong),
                is_its_rule: wrong.is_about(position),
            });
        }
        for code in position.illegal.split_whitespace() {
            self.refuse(&line, code).map_err(miss(true))?;
        }
        self.test_neighbours(&line).map_err(miss(false))
    }

    /// Compares the answers about a position that tests a place of the board.
    pub(super) fn judge_place(&mut self, position: &CheckPosition) -> Checked<()> {
        let line = Opening::from(position);
        self.compare(&line, &QUERIES)?;
        match self.board(&line).moves().len() {
            0..=MAX_CHILDREN => self.compare_children(&line),
            _ => Ok(()),
        }
    }

    fn test_neighbours(&mut self, line: &Opening) -> Checked<()> {
        for plies in 0..line.moves.len() {
            self.compare(&line.prefix(plies), &QUERIES)?;
        }
        self.compare_children(line)?;
        self.search(line)
    }

    /// Compares the answers about a position with the rules.
    fn compare(&mut self, line: &Opening, queries: &[Query]) -> Checked<()> {
        self.dialogue.set(line)?;
        match self.difference(line, queries)? {
            None => Ok(()),
            Some(wrong) => Err(self.finding(line, &wrong)),
        }
    }

    fn finding(&self, line: &Opening, wrong: &Difference) -> Finding {
        let query = query_line(&wrong.query);
        difference(self.dialogue, line, query, &wrong.actual, &wrong.expected)
    }

    /// Returns the first wrong answer to these queries in a position.
    fn difference(&mut self, line: &Opening, queries: &[Query]) -> Checked<Option<Difference>> {
        let (asked, expected) = self.questions(line, queries);
        let mut answers = self.answers(&asked.join("\n"))?.into_iter();
        let mut compared = expected.into_iter().map(|(query, expected)| Difference {
            query,
            actual: answers.next().unwrap_or_else(|| "nothing".to_owned()),
            expected,
        });
        // Another step tests the order of moves.
        Ok(compared.find(|one| !is_same(one.query, &one.actual, &one.expected)))
    }

    /// The lines that ask these queries, as far as the engine answers them, and the right answers.
    fn questions(&self, line: &Opening, queries: &[Query]) -> (Vec<String>, Vec<(Query, String)>) {
        let (case, board) = (self.dialogue.case, self.board(line));
        let queries = queries.iter().filter(|query| case.answers(**query));
        let right = |query: &Query| (*query, expected_reply(&*board, *query).unwrap_or_default());
        let lines = queries.clone().map(query_line);
        (lines.collect(), queries.map(right).collect())
    }

    /// Sends lines and returns the responses and errors.
    fn answers(&mut self, lines: &str) -> Checked<Vec<String>> {
        let output = self.dialogue.ask(lines)?;
        let answer = |output: OutputLine| match output.reply {
            Some(Reply::Response(text)) => Some(text),
            Some(Reply::Error(why)) => Some(format!("info error {why}")),
            _ => None,
        };
        Ok(output.into_iter().filter_map(answer).collect())
    }

    /// Compares `gameover` and `result` with the rules after each legal move.
    fn compare_children(&mut self, line: &Opening) -> Checked<()> {
        let moves = self.board(line).moves();
        let children = moves.iter().map(|code| line.clone().with(code));
        let children: Vec<Opening> = children.collect();
        for children in children.chunks(N_AT_ONCE) {
            if !self.are_right(children)? {
                // Repeat them one at a time, so that the finding names the first wrong position.
                for child in children {
                    self.compare(child, &ENDS)?;
                }
            }
        }
        Ok(())
    }

    /// `true` if the answers about several positions are right. One write asks about all of them, which saves most of
    /// the time.
    fn are_right(&mut self, openings: &[Opening]) -> Checked<bool> {
        let (mut lines, mut expected) = (Vec::new(), Vec::new());
        for opening in openings {
            let (asked, right) = self.questions(opening, &ENDS);
            lines.push(format!("position {opening}"));
            lines.extend(asked);
            expected.extend(right.into_iter().map(|(_, right)| right));
        }
        self.dialogue.forget_position();
        match self.answers(&lines.join("\n")) {
            Ok(answers) => Ok(answers == expected),
            Err(_) => self.dialogue.restart(&self.chapter.options).map(|()| false),
        }
    }

    /// An illegal code leaves the position unchanged.
    fn refuse(&mut self, line: &Opening, code: &str) -> Checked<()> {
        let wrong = format!("position {}", line.clone().with(code));
        self.dialogue.set(line)?;
        let is_refused = !self.answers(&wrong)?.is_empty();
        let Some(difference) = self.difference(line, &QUERIES)? else {
            return Ok(());
        };
        let how = match is_refused {
            true => "is rejected, but changes the position",
            false => "is played",
        };
        let finding = fail!("{wrong}: the illegal move {code} {how}");
        let lines = [
            format!("position {line}"),
            wrong,
            query_line(&difference.query),
        ];
        Err(self.dialogue.shown_by(finding, lines))
    }

    /// A search returns a legal move, or `none` if the game is over.
    fn search(&mut self, line: &Opening) -> Checked<()> {
        self.dialogue.set(line)?;
        let found = self.dialogue.go("depth 1")?.answered()?;
        let (mut board, code) = (self.board(line), excerpt(&found.code));
        let illegal = |why| fail!("bestmove is illegal after position {line}: {why}");
        match board.outcome() {
            None => board.play(&found.code).map(drop).map_err(illegal),
            Some(_) if code == "none" => Ok(()),
            Some(_) => Err(fail!("plays {code} in a finished game: position {line}")),
        }
    }
}

fn query_line(query: &Query) -> String {
    format!("query {}", query.word())
}
