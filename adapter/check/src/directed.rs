//! Step: positions from the game's table, each of which tests a rule.
//!
//! All queries are compared with the rules in each position and along the moves that lead to it. After each legal move,
//! `gameover` and `result` are compared. Illegal codes must not change the position, and a search must return a legal
//! move.

use std::time::{Duration, Instant};

use crate::prelude::*;
use crate::trial::{Miss, Trial};

/// Time limit after which no further position is tested.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Tests all positions of the game's table. Testing continues after a broken rule.
pub(super) fn positions(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.case.rules()?;
    let (chapters, n_left_out) = dialogue.case.chapters();
    let deadline = Instant::now() + TIME_LIMIT;
    let mut report = Tested::default();
    for chapter in &chapters {
        dialogue.restart(&chapter.options)?;
        for position in &chapter.positions {
            if Instant::now() >= deadline {
                report.n_late += 1;
                continue;
            }
            let judged = Trial { chapter, dialogue }.judge(position);
            report.n_tested += 1;
            if let Err(miss) = judged {
                let finding = dialogue.with_evidence(miss.finding);
                report.add(position.rule, Miss { finding, ..miss });
                dialogue.restart(&chapter.options)?;
            }
        }
    }
    report.conclude(n_left_out)
}

/// Tests the positions that reach each place of the default board.
pub(super) fn places(dialogue: &mut Dialogue<'_>) -> Outcome {
    let all = dialogue.case.rules()?.entry().place_positions();
    if all.is_empty() {
        return Err(skip!("the game has no positions for it"));
    }
    let chapter = dialogue.case.default_board();
    let chapter = &chapter.ok_or_else(|| skip!("does not play on the default board"))?;
    dialogue.restart(&chapter.options)?;
    let deadline = Instant::now() + TIME_LIMIT;
    let mut n_tested = 0;
    for position in &all {
        if Instant::now() >= deadline {
            let (n, seconds) = (all.len(), TIME_LIMIT.as_secs());
            return Ok(format!("{n_tested} of {n} positions within {seconds} s"));
        }
        let judged = Trial { chapter, dialogue }.judge_place(position);
        judged.map_err(|finding| Finding {
            text: format!("{}: {}", position.rule, finding.text),
            ..finding
        })?;
        n_tested += 1;
    }
    Ok(format!("{n_tested} positions"))
}

/// Results so far.
#[derive(Debug, Default)]
struct Tested {
    n_tested: usize,
    /// Number of positions omitted for lack of time.
    n_late: usize,
    /// Broken rules, each with its most specific finding.
    broken: Vec<(&'static str, Miss)>,
}

impl Tested {
    fn add(&mut self, rule: &'static str, miss: Miss) {
        let known = self.broken.iter_mut().find(|(known, _)| *known == rule);
        match known {
            None => self.broken.push((rule, miss)),
            Some((_, known)) if miss.is_its_rule && !known.is_its_rule => *known = miss,
            Some(_) => {}
        }
    }

    fn conclude(mut self, n_left_out: usize) -> Outcome {
        self.broken.sort_by_key(|(_, miss)| !miss.is_its_rule);
        let Some((rule, first)) = self.broken.first() else {
            return self.passed(n_left_out);
        };
        let mut text = format!("{rule} {}", first.finding.text);
        let is_alike = |(_, miss): &&(&str, Miss)| miss.is_its_rule == first.is_its_rule;
        let others = self.broken[1..].iter().filter(is_alike);
        let others: Vec<&str> = others.map(|(rule, _)| *rule).collect();
        if !others.is_empty() {
            text = format!("{text}; also violated: {}", others.join(" "));
        }
        let finding = first.finding.clone();
        Err(Finding { text, ..finding })
    }

    fn passed(&self, n_left_out: usize) -> Outcome {
        let n_tested = self.n_tested;
        let mut text = format!("{n_tested} positions");
        if n_left_out > 0 {
            text += &format!("; {n_left_out} left out: the engine lacks their options");
        }
        if self.n_late > 0 {
            let seconds = TIME_LIMIT.as_secs();
            text += &format!("; {} not tested within {seconds} s", self.n_late);
        }
        match n_tested {
            0 => Err(skip!("{text}")),
            _ => Ok(text),
        }
    }
}
