//! Events of the table that concern a bridge.

use table::{Analysis, TableEvent, Turn};

use super::HostedGame;
use crate::GameEvent;

impl HostedGame {
    /// Queues the events for the bridge. The game is already up to date.
    pub(super) fn hear(&mut self, event: &TableEvent) {
        match event {
            TableEvent::MovePlayed { code, record, .. } if self.searching_at.take().is_some() => {
                let last = Analysis {
                    code: record.pv.first().cloned(),
                    score: record.score,
                    depth: record.depth,
                    nodes: record.nodes,
                    line: record.pv.clone(),
                };
                let is_new = last.score.is_some() && self.thought.as_ref() != Some(&last);
                self.queued.push_back(GameEvent::Moved {
                    code: code.clone(),
                    thought: is_new.then_some(last),
                });
            }
            TableEvent::GameOver { record } => {
                if self.searching_at.take().is_some() {
                    self.queued
                        .push_back(GameEvent::Failed(record.reason.clone()));
                }
                let ending = self.ending().cloned();
                self.queued.extend(ending.map(GameEvent::Over));
            }
            TableEvent::EngineLine { analysis, .. } if self.is_searching() => {
                self.thought = Some(analysis.clone());
                self.queued.push_back(GameEvent::Thought(analysis.clone()));
            }
            TableEvent::Fault { engine, text } => {
                let text = format!("{engine}: {text}");
                if self.is_searching() {
                    self.fault = Some(text);
                } else {
                    self.queued.push_back(GameEvent::Fault(text));
                }
            }
            TableEvent::Turn {
                turn: Turn::Person(_),
                ..
            } => {
                // The table gives the turn back when an engine fails.
                if let Some(why) = self.fault.take()
                    && self.searching_at.take().is_some()
                {
                    self.queued.push_back(GameEvent::Failed(why));
                }
            }
            TableEvent::Snapshot(_) => self.catch_up(),
            TableEvent::Analysed(analysed) => {
                self.queued.push_back(GameEvent::Analysed(analysed.clone()));
            }
            TableEvent::AnalysisEnded { .. } => self.queued.push_back(GameEvent::AnalysisEnded),
            TableEvent::Closed { why, .. } => self.closed = Some(why.clone()),
            _ => {}
        }
    }

    /// Determines the result of a search whose events may be lost.
    fn catch_up(&mut self) {
        let Some(from) = self.searching_at else {
            return;
        };
        let (tree, here) = (self.game().tree(), self.game().here());
        let ply = tree.ply(here).filter(|_| tree.parent(here) == from);
        let event = match ply {
            Some(ply) => GameEvent::Moved {
                code: ply.code.clone(),
                thought: None,
            },
            None if matches!(self.game().turn(), Turn::Engine(_)) => return,
            None => GameEvent::Failed("the engine has not moved".to_owned()),
        };
        self.searching_at = None;
        self.queued.push_back(event);
    }
}
