//! Steps: positions from the game's table, each of which tests a rule, and those that reach each place of the board.
//!
//! All queries are compared with the rules in each position and along the moves that lead to it. After each legal move,
//! `gameover` and `result` are compared. Illegal codes must not change the position, and a search must return a legal
//! move.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use kit::CheckPosition;

use crate::case::Chapter;
use crate::compare::{CheckedAnswer, ENDS, QUERIES, Question, answers, asked};
use crate::prelude::*;
use crate::report::FindingKind;

/// Time limit after which no further position is tested.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Number of positions queried in one write.
const N_AT_ONCE: usize = 16;

/// Maximum number of moves after each of which the end of the game is compared, in the many positions of places.
const MAX_CHILDREN: usize = 40;

/// Tests all positions of the game's table. Testing continues after a broken rule.
pub(super) fn positions(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.case.rules()?;
    let (chapters, n_left_out) = dialogue.case.chapters();
    let deadline = Instant::now() + TIME_LIMIT;
    let (mut n_tested, mut n_late) = (0, 0);
    let mut broken: Vec<(&str, Miss)> = Vec::new();
    for chapter in &chapters {
        dialogue.restart(&chapter.options)?;
        for position in &chapter.positions {
            if Instant::now() >= deadline {
                n_late += 1;
                continue;
            }
            n_tested += 1;
            if let Err(miss) = (Trial { chapter, dialogue }).judge(position) {
                let finding = dialogue.with_evidence(miss.finding);
                broken.push((position.rule, Miss { finding, ..miss }));
                dialogue.restart(&chapter.options)?;
            }
        }
    }
    if let Some(finding) = most_specific(broken) {
        return Err(finding);
    }
    let mut text = format!("{n_tested} positions");
    if n_left_out > 0 {
        text += &format!("; {n_left_out} left out: the engine lacks their options");
    }
    if n_late > 0 {
        let seconds = TIME_LIMIT.as_secs();
        text += &format!("; {n_late} not tested within {seconds} s");
    }
    match n_tested {
        0 => Err(skip!("{text}")),
        _ => Ok(text),
    }
}

/// The first finding about the rule that its position tests, else the first one, with the other rules that are broken
/// alike.
fn most_specific(mut broken: Vec<(&str, Miss)>) -> Option<Finding> {
    let mut rules = HashSet::new();
    broken.sort_by_key(|(_, miss)| !miss.is_its_rule);
    broken.retain(|(rule, _)| rules.insert(*rule));
    let (rule, first) = broken.first()?;
    let mut text = format!("{rule} {}", first.finding.text);
    let others = broken[1..].iter();
    let others = others.filter(|(_, miss)| miss.is_its_rule == first.is_its_rule);
    let others: Vec<&str> = others.map(|(rule, _)| *rule).collect();
    if !others.is_empty() {
        text += &format!("; also violated: {}", others.join(" "));
    }
    let finding = first.finding.clone();
    Some(Finding { text, ..finding })
}

/// Tests the positions that reach each place of the default board.
pub(super) fn places(dialogue: &mut Dialogue<'_>) -> Outcome {
    let all = CheckPosition::parse_table(dialogue.case.rules()?.entry().place_positions);
    if all.is_empty() {
        return Err(skip!("the game has no positions for it"));
    }
    let chapter = dialogue.case.default_board();
    let chapter = &chapter.ok_or_else(|| skip!("does not play on the default board"))?;
    dialogue.restart(&chapter.options)?;
    let deadline = Instant::now() + TIME_LIMIT;
    for (n_tested, position) in all.iter().enumerate() {
        if Instant::now() >= deadline {
            let (n, seconds) = (all.len(), TIME_LIMIT.as_secs());
            return Ok(format!("{n_tested} of {n} positions within {seconds} s"));
        }
        let judged = Trial { chapter, dialogue }.judge_place(position);
        judged.map_err(|finding| Finding {
            text: format!("{}: {}", position.rule, finding.text),
            ..finding
        })?;
    }
    Ok(format!("{} positions", all.len()))
}

/// A fault found in a position.
#[derive(Debug, Clone)]
struct Miss {
    finding: Finding,
    /// The fault concerns the rule that the position tests. A position may also reveal faults in other rules.
    is_its_rule: bool,
}

/// Tests positions one after the other in one process.
struct Trial<'a, 'b> {
    /// The rules, and the options to set in a new process.
    chapter: &'a Chapter,
    dialogue: &'a mut Dialogue<'b>,
}

impl Trial<'_, '_> {
    /// Tests the position itself first, then the positions before and after it.
    fn judge(&mut self, position: &CheckPosition) -> Result<(), Miss> {
        let line = Opening::from(position);
        let miss = |is_its_rule| {
            move |finding| Miss {
                finding,
                is_its_rule,
            }
        };
        let rules = &self.chapter.rules;
        let answers = self.dialogue.answers_about(rules, &line, &QUERIES);
        let answers =
            answers.map_err(|finding| miss(finding.kind == FindingKind::Refusal)(finding))?;
        if let Some(wrong) = answers.iter().find(|answer| !answer.is_complete()) {
            let finding = wrong.finding(self.dialogue, &line);
            return Err(miss(is_about(wrong, position))(finding));
        }
        for code in position.illegal.split_whitespace() {
            self.refuse(&line, code).map_err(miss(true))?;
        }
        self.test_neighbours(&line).map_err(miss(false))
    }

    /// Compares the answers about a position that tests a place of the board.
    fn judge_place(&mut self, position: &CheckPosition) -> Checked<()> {
        let line = Opening::from(position);
        self.compare(&line, &QUERIES)?;
        match board(&self.chapter.rules, &line).moves().len() {
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

    /// Compares the answers about a position with the rules. Another step tests the order of moves.
    fn compare(&mut self, line: &Opening, questions: &[Question]) -> Checked<()> {
        let rules = &self.chapter.rules;
        self.dialogue
            .compare(rules, line, questions, CheckedAnswer::is_complete)
    }

    /// Compares `gameover` and `result` with the rules after each legal move.
    fn compare_children(&mut self, line: &Opening) -> Checked<()> {
        let moves = board(&self.chapter.rules, line).moves();
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
            lines.push(format!("position {opening}"));
            for asked in asked(self.dialogue, &self.chapter.rules, opening, &ENDS) {
                lines.push(asked.line);
                expected.push(asked.expected);
            }
        }
        self.dialogue.forget_position();
        match self.dialogue.ask(&lines.join("\n")) {
            Ok(output) => Ok(answers(output) == expected),
            Err(_) => self.dialogue.restart(&self.chapter.options).map(|()| false),
        }
    }

    /// An illegal code leaves the position unchanged.
    fn refuse(&mut self, line: &Opening, code: &str) -> Checked<()> {
        let wrong = format!("position {}", line.clone().with(code));
        self.dialogue.set(line)?;
        let is_refused = !answers(self.dialogue.ask(&wrong)?).is_empty();
        let asked = asked(self.dialogue, &self.chapter.rules, line, &QUERIES);
        let answers = self.dialogue.ask_questions(asked, None)?;
        let Some(changed) = answers.into_iter().find(|answer| !answer.is_complete()) else {
            return Ok(());
        };
        let how = match is_refused {
            true => "is rejected, but changes the position",
            false => "is played",
        };
        let finding = fail!("{wrong}: the illegal move {code} {how}");
        let lines = [format!("position {line}"), wrong, changed.line];
        Err(self.dialogue.shown_by(finding, lines))
    }

    /// A search returns a legal move, or `none` if the game is over.
    fn search(&mut self, line: &Opening) -> Checked<()> {
        let found = self.dialogue.search(line, "depth 1")?;
        let is_over = board(&self.chapter.rules, line).outcome().is_some();
        match is_over && found.code != "none" {
            true => {
                let code = excerpt(&found.code);
                Err(fail!("plays {code} in a finished game: position {line}"))
            }
            false if is_over => Ok(()),
            false => legal(&self.chapter.rules, line, &found.code),
        }
    }
}

/// `true` if a wrong answer concerns what the position tests: the end of the game, or the codes that it names.
fn is_about(wrong: &CheckedAnswer, position: &CheckPosition) -> bool {
    let forbids_alone = position.legal.is_empty() && !position.illegal.is_empty();
    match wrong.question {
        _ if position.mate.is_some() => false,
        Question::Query(Query::GameOver | Query::Result) => {
            position.outcome.is_some() || !forbids_alone
        }
        Question::Query(Query::Moves) => {
            let listed: Vec<&str> = wrong.actual.split_whitespace().collect();
            let mut legal = position.legal.split_whitespace();
            let mut illegal = position.illegal.split_whitespace();
            legal.any(|code| !listed.contains(&code)) || illegal.any(|code| listed.contains(&code))
        }
        _ => position.outcome.is_none(),
    }
}
