//! A page at a table: the table's client, pending requests, and the page's copy of the game.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use crossbeam_channel::Receiver;
use kit::{Rejection, Side};
use serde_json::{Value, json};
use table::{ClientGame, ClientInfo, Role, TableClient, TableCommand, TableEvent, Voice};

use crate::Host;
use crate::games::rules_of;
use crate::limits::MAX_WAITING;
use crate::lobby::ViewerGuard;
use crate::view_state::{BoardTurns, Position, ViewState};
use crate::wire::{self, MessageId, answer_text};

/// A page at a table.
pub(crate) struct Sitting {
    client: TableClient,
    /// Known after the first snapshot.
    game: Option<ClientGame>,
    /// `true` if its board can be turned.
    turns: BoardTurns,
    /// The messages whose requests await the table's answer, by request number.
    asked: BTreeMap<u64, MessageId>,
    /// The message that joins the table, and its answer if the table admits the page.
    joining: Option<(MessageId, Value)>,
    /// The message that closes the table. The event `closed`, the last one, answers it.
    quit: Option<MessageId>,
    // Dropped last, because it keeps the table alive.
    visit: ViewerGuard,
}

/// Effects of an event.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    /// Texts for the page.
    pub(crate) texts: Vec<String>,
    /// `true` if the current position has changed.
    pub(crate) is_changed: bool,
    /// `true` if it is another game.
    pub(crate) is_new: bool,
    /// `true` if the table does not admit the page.
    pub(crate) is_refused: bool,
}

impl Sitting {
    pub(crate) fn new(
        client: TableClient,
        visit: ViewerGuard,
        joining: (MessageId, Value),
    ) -> Sitting {
        Sitting {
            client,
            game: None,
            turns: BoardTurns::default(),
            asked: BTreeMap::new(),
            joining: Some(joining),
            quit: None,
            visit,
        }
    }

    /// The messages that the table has not answered.
    pub(crate) fn unanswered(self) -> Vec<MessageId> {
        let joining = self.joining.map(|(id, _)| id);
        self.asked.into_values().chain(joining).collect()
    }

    pub(crate) fn events(&self) -> &Receiver<TableEvent> {
        self.client.events()
    }

    pub(crate) fn visit(&self) -> &ViewerGuard {
        &self.visit
    }

    pub(crate) fn game(&self) -> Result<&ClientGame, String> {
        let game = self.game.as_ref();
        game.ok_or_else(|| "the table has not sent its game yet: wait".to_owned())
    }

    /// `true` if the maximum number of requests is pending, so that the page must wait.
    pub(crate) fn is_busy(&self) -> bool {
        self.asked.len() >= MAX_WAITING
    }

    /// Sends a request to the table, whose answer will answer the page's message.
    pub(crate) fn ask(
        &mut self,
        id: MessageId,
        command: TableCommand,
        at: Instant,
    ) -> Result<(), String> {
        if matches!(command, TableCommand::Quit) {
            self.quit = Some(id);
        }
        let sent = self.client.send_at(command, at);
        let request = sent.map_err(|error| error.to_string())?;
        self.asked.insert(request.0, id);
        Ok(())
    }

    /// Removes the guests of a side, or those who watch.
    pub(crate) fn kick(&self, side: Option<Side>) -> Result<(), String> {
        let clients = self.game()?.snapshot().clients.iter();
        let is_meant = |who: &&ClientInfo| match (who.role, side) {
            (Role::Player(sides), Some(side)) => sides.contains(side),
            (Role::Spectator, None) => true,
            _ => false,
        };
        for ClientInfo { client, .. } in clients.filter(is_meant).cloned() {
            let sent = self.client.send(TableCommand::Kick { client });
            sent.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Handles an event.
    pub(crate) fn hear(&mut self, mut event: TableEvent, host: &dyn Host) -> Heard {
        let mut heard = Heard::default();
        match &mut event {
            // The page knows its question by the number of its message.
            TableEvent::Analysis { request, .. } | TableEvent::AnalysisLine { request, .. } => {
                request.0 = self.asked.get(&request.0).copied().unwrap_or(request.0);
            }
            TableEvent::Done { request } => {
                let answer = |id| answer_text(Some(id), &Ok(json!({})));
                heard
                    .texts
                    .extend(self.asked.remove(&request.0).map(answer));
                return heard;
            }
            TableEvent::Refused { request, why } => {
                let joining = self.joining.take_if(|_| *request == TableClient::JOIN);
                heard.is_refused = joining.is_some();
                let joining = joining.map(|(id, _)| id);
                let id = self.asked.remove(&request.0).or(joining);
                heard
                    .texts
                    .push(answer_text(id, &Err(why.sentence(Voice::Page))));
                return heard;
            }
            TableEvent::Closed { why, .. } => {
                self.visit.table().end();
                let refused = self.joining.take();
                let refused = refused.map(|(id, _)| answer_text(Some(id), &Err(why.clone())));
                heard.texts.extend(refused);
                let answer = |id| answer_text(Some(id), &Ok(json!({})));
                heard.texts.extend(self.quit.take().map(answer));
            }
            TableEvent::Welcome { .. } => {
                let joined = self.joining.take();
                let joined = joined.map(|(id, done)| answer_text(Some(id), &Ok(done)));
                heard.texts.extend(joined);
            }
            _ => {}
        }
        heard.texts.push(wire::json(&event));
        match self.update(&event, host) {
            Ok((is_changed, is_new)) => {
                heard.is_changed = is_changed;
                heard.is_new = is_new;
            }
            Err(why) => heard.texts.push(answer_text(None, &Err(why.to_string()))),
        }
        heard
    }

    /// Records the path of the table's ledger.
    fn keep_ledger(&self, ledger: &Path) {
        // It is set once: a table has one ledger.
        let _ = self.visit.table().ledger.set(ledger.to_owned());
    }

    /// Updates the game. The flags are `true` if the position, and if the game, has changed.
    fn update(&mut self, event: &TableEvent, host: &dyn Host) -> Result<(bool, bool), Rejection> {
        if let TableEvent::LedgerBegun { path } = event {
            self.keep_ledger(path);
        }
        if let TableEvent::Snapshot(snapshot) = event {
            if let Some(ledger) = &snapshot.ledger {
                self.keep_ledger(ledger);
            }
            let is_same = |game: &ClientGame| game.snapshot().id == snapshot.id;
            let is_new = !self.game.as_ref().is_some_and(is_same);
            let rules = rules_of(host.registry(), &snapshot.game).map_err(Rejection)?;
            let game = ClientGame::new(rules, (**snapshot).clone())?;
            if is_new {
                self.turns = BoardTurns::of(game.board());
            }
            self.game = Some(game);
            return Ok((true, is_new));
        }
        let Some(game) = &mut self.game else {
            return Ok((false, false));
        };
        let is_moved = game.update(event)?;
        // The end of a game changes the view too.
        Ok((
            is_moved || matches!(event, TableEvent::GameOver { .. }),
            false,
        ))
    }

    /// Returns the selected position.
    pub(crate) fn find(&self, look: &ViewState) -> Result<Position, String> {
        let mut position = look.find(self.game()?).map_err(|why| why.to_string())?;
        position.turns = self.turns;
        Ok(position)
    }
}
