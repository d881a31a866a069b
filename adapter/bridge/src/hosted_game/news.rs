//! Events of the table that concern a bridge.

use record::event::Event;
use record::game::Ending;
use record::table::{AnalysedNode, Analysis, TableEvent, Turn};

use super::HostedGame;
use crate::BridgeError;

/// An event of the game.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// The engine has made this move, as a canonical code.
    Moved(String),
    /// The engine to move reports search information.
    Thought(Analysis),
    /// The engine failed to move, with the reason.
    Failed(String),
    /// The analysis has new lines.
    Analysed(AnalysedNode),
    /// The analysis has ended, with the reason.
    AnalysisEnded(String),
    /// The game is over.
    Over(Ending),
    /// An idle engine failed, with the reason; it is restarted when needed.
    Fault(String),
}

impl HostedGame {
    /// Updates the game, and queues the events for the bridge.
    pub(super) fn hear(&mut self, event: &Event) -> Result<(), BridgeError> {
        let updated = self.game.update(event);
        updated.map_err(|why| BridgeError::Closed(why.to_string()))?;
        match event {
            Event::MovePlayed { code, .. } if self.searching_at.take().is_some() => {
                self.news.push_back(News::Moved(code.clone()));
            }
            Event::GameOver { record } => {
                if self.searching_at.take().is_some() {
                    self.news.push_back(News::Failed(record.reason.clone()));
                }
                let ending = self.ending().cloned();
                self.news.extend(ending.map(News::Over));
            }
            Event::Table(event) => self.hear_table(event),
            _ => {}
        }
        Ok(())
    }

    fn hear_table(&mut self, event: &TableEvent) {
        match event {
            TableEvent::EngineLine { analysis, .. } if self.is_searching() => {
                self.news.push_back(News::Thought(analysis.clone()));
            }
            TableEvent::Fault { engine, text } => {
                let text = format!("{engine}: {text}");
                if self.is_searching() {
                    self.fault = Some(text);
                } else {
                    self.news.push_back(News::Fault(text));
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
                    self.news.push_back(News::Failed(why));
                }
            }
            TableEvent::Snapshot(_) => self.catch_up(),
            TableEvent::Analysed(analysed) => {
                self.news.push_back(News::Analysed(analysed.clone()));
            }
            TableEvent::AnalysisEnded { why, .. } => {
                self.news.push_back(News::AnalysisEnded(why.to_string()));
            }
            TableEvent::Closed { why, .. } => self.closed = Some(why.clone()),
            _ => {}
        }
    }

    /// Determines the result of a search whose events may be lost.
    fn catch_up(&mut self) {
        let Some(from) = self.searching_at else {
            return;
        };
        let (tree, here) = (self.game.tree(), self.game.here());
        let ply = tree.ply(here).filter(|_| tree.parent(here) == from);
        let news = match ply {
            Some(ply) => News::Moved(ply.code.clone()),
            None if matches!(self.game.turn(), Turn::Engine(_)) => return,
            None => News::Failed("the engine has not moved".to_owned()),
        };
        self.searching_at = None;
        self.news.push_back(news);
    }
}
