//! The thread of one page. It handles the page's messages and the events of its table.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use std::{io, thread};

use axum::extract::ws::Message;
use crossbeam_channel::{Receiver, at, bounded, never, select};
use record::event::Event;
use serde_json::{Value, json};
use table::{Mover, Role, SessionError, TableCommand, TableEvent, TableSession, Voice};
use tokio::sync::mpsc;

use crate::connection::{self, Ask, FromPage, MessageId, Queues, Told, json as text_of};
use crate::door::Rights;
use crate::limits::{MAX_QUEUED, MAX_WAITING};
use crate::lobby::ViewerGuard;
use crate::reporter::Following;
use crate::server_state::ServerState;
use crate::view_state::{BoardTurns, Packing, Position, ViewState};

/// State of one page.
pub(crate) struct Tab {
    pub(crate) shared: Arc<ServerState>,
    pub(crate) rights: Rights,
    from_page: Receiver<FromPage>,
    to_page: mpsc::Sender<Message>,
    packing: Packing,
    pub(crate) look: ViewState,
    pub(crate) sitting: Option<Sitting>,
    /// The place that it takes once it has the answer to its message.
    pub(crate) arriving: Option<Sitting>,
    /// The shown match, until its last event is sent.
    following: Option<Following>,
    /// Set when the shown position has changed since it was last sent.
    pub(crate) is_view_due: bool,
}

/// A page at a table.
pub(crate) struct Sitting {
    pub(crate) session: TableSession,
    /// The ways in which the board of its game can be turned.
    turns: BoardTurns,
    /// The messages whose requests await the table's answer, by request number.
    asked: BTreeMap<u64, MessageId>,
    /// The message that closes the table. The event `closed`, the last one, answers it.
    quit: Option<MessageId>,
    // Dropped last, because it keeps the table alive.
    pub(crate) visit: ViewerGuard,
}

/// Refuses what needs a table.
pub(crate) const NO_TABLE: &str = "This page shows no table. Open a game first.";

/// The page has disconnected.
pub(crate) struct Gone;

impl Tab {
    /// Starts the thread of a page, which ends when the page disconnects, or its match is over.
    pub(crate) fn start(
        shared: Arc<ServerState>,
        rights: Rights,
        packing: Packing,
    ) -> io::Result<Queues> {
        let (to_tab, from_page) = bounded(MAX_QUEUED);
        let (to_page, from_tab) = mpsc::channel(MAX_QUEUED);
        let mut tab = Tab {
            shared,
            rights,
            from_page,
            to_page,
            packing,
            look: ViewState::default(),
            sitting: None,
            arriving: None,
            following: None,
            is_view_due: false,
        };
        let thread = thread::Builder::new().name("tab".to_owned());
        // The only error is that the page was closed.
        thread.spawn(move || drop(tab.serve()))?;
        Ok((to_tab, from_tab))
    }

    fn serve(&mut self) -> Result<(), Gone> {
        self.greet()?;
        self.following = self.shared.settings.source.as_ref().map(Following::new);
        loop {
            let sitting = self.sitting.as_ref();
            // With the maximum number of pending requests, the page must wait.
            let is_busy = sitting.is_some_and(|sitting| sitting.asked.len() >= MAX_WAITING);
            let page = source((!is_busy).then_some(&self.from_page));
            let table = source(sitting.map(|sitting| &sitting.session.client.events));
            let events = source(self.following.as_ref().map(|following| &following.events));
            let due = self.following.as_ref().and_then(Following::due);
            let report = due.map_or_else(never, at);
            let end = source(self.following.is_none().then_some(&self.shared.end));
            // Draws the board only when no input that could change it is waiting.
            if self.is_view_due && self.from_page.is_empty() && table.is_empty() {
                self.is_view_due = false;
                self.show()?;
            }
            select! {
                recv(page) -> message => match message {
                    Ok((text, at)) => self.take(&text, at)?,
                    Err(_) => return Err(Gone),
                },
                recv(table) -> event => match event {
                    Ok(event) => self.hear(event)?,
                    Err(_) => self.sit(None)?,
                },
                recv(events) -> event => self.follow(event.ok())?,
                recv(report) -> _ => self.send_report()?,
                recv(end) -> _ => return self.send_end(),
            }
        }
    }

    fn greet(&mut self) -> Result<(), Gone> {
        let is_host = matches!(self.rights, Rights::Host);
        let hello = Told::Hello {
            version: env!("CARGO_PKG_VERSION"),
            rights: match &self.rights {
                Rights::Host => "host",
                Rights::Guest(link) if link.seat.is_some() => "player",
                Rights::Guest(_) => "watcher",
            },
            games: self.shared.games(),
            tables: self.shared.lobby.list(|table| self.may_see(&table.id)),
            is_match: self.shared.settings.source.is_some(),
            start: is_host && self.shared.start.lock().is_some(),
            engines: match is_host {
                true => self.shared.host.engines(),
                false => Vec::new(),
            },
        };
        self.send(text_of(&hello))
    }

    fn send_report(&mut self) -> Result<(), Gone> {
        let html = self.following.as_mut().and_then(Following::report);
        html.map_or(Ok(()), |html| {
            self.send(text_of(&Told::Report { html: &html }))
        })
    }

    /// Sends an event of the match, and the ends of games that were lost. `None` means that the match has ended.
    fn follow(&mut self, event: Option<Arc<Event>>) -> Result<(), Gone> {
        let Some((following, event)) = self.following.as_mut().zip(event) else {
            self.send_report()?;
            self.following = None;
            return Ok(());
        };
        let ends = following.hear(&event);
        let mut events = std::iter::once(&*event).chain(&ends);
        events.try_for_each(|event| self.send(text_of(event)))
    }

    /// Sends the result of the match.
    fn send_end(&self) -> Result<(), Gone> {
        let text = self.shared.match_end.get();
        text.map_or(Ok(()), |text| self.send(text_of(&Told::MatchOver { text })))
    }

    /// Handles a message, and answers it, unless the table does.
    fn take(&mut self, text: &str, at: Instant) -> Result<(), Gone> {
        let (id, ask) = match connection::read(text) {
            Ok(read) => read,
            Err((id, why)) => return self.answer(id, &Err(why)),
        };
        let asked = match ask {
            Ask::Table { command } => self.ask_table(id, command, at),
            Ask::Seat(ask) => self.seat(id, ask, at),
            ask => {
                let done = self.carry(ask);
                self.answer(Some(id), &done)?;
                return match self.arriving.take() {
                    Some(sitting) => self.sit_down(sitting),
                    None => Ok(()),
                };
            }
        };
        asked.or_else(|why| self.answer(Some(id), &Err(why)))
    }

    pub(crate) fn sitting(&mut self) -> Result<&mut Sitting, String> {
        self.sitting.as_mut().ok_or_else(|| NO_TABLE.to_owned())
    }

    pub(crate) fn ask_table(
        &mut self,
        id: MessageId,
        command: TableCommand,
        at: Instant,
    ) -> Result<(), String> {
        if matches!(
            command,
            TableCommand::Save { .. } | TableCommand::Load { .. } | TableCommand::Leave
        ) {
            let word = command.id().name(Voice::Json);
            return Err(format!(
                "The page cannot send {word}: use leave, export or open-record."
            ));
        }
        let sitting = self.sitting()?;
        if matches!(command, TableCommand::Quit) {
            sitting.quit = Some(id);
        }
        let sent = sitting.session.client.send_at(command, at);
        let request = sent.map_err(|error| error.to_string())?;
        sitting.asked.insert(request.0, id);
        Ok(())
    }

    /// Handles an event of the table, and passes it on to the page.
    fn hear(&mut self, mut event: TableEvent) -> Result<(), Gone> {
        // The page holds a fast answer back for some time, in which it shows the position after the person's move.
        if self.is_view_due && self.sitting.as_ref().is_some_and(|it| it.is_answer(&event)) {
            self.is_view_due = false;
            self.show()?;
        }
        let Some(sitting) = &mut self.sitting else {
            return Ok(());
        };
        let mut closed = None;
        match &mut event {
            TableEvent::Done { request } => {
                let asked = sitting.asked.remove(&request.0);
                return asked.map_or(Ok(()), |id| self.answer(Some(id), &Ok(json!({}))));
            }
            TableEvent::Refused { request, why } => {
                let asked = sitting.asked.remove(&request.0);
                return self.answer(asked, &Err(why.sentence(Voice::Page)));
            }
            // The page knows its question by the number of its message.
            TableEvent::Analysis { request, .. } | TableEvent::AnalysisLine { request, .. } => {
                request.0 = sitting.asked.get(&request.0).copied().unwrap_or(request.0);
            }
            TableEvent::Closed { .. } => {
                sitting.visit.0.end();
                closed = sitting.quit.take();
            }
            _ => {}
        }
        let updated = sitting.update(&event);
        self.update_link(&event);
        if closed.is_some() {
            self.answer(closed, &Ok(json!({})))?;
        }
        self.send(text_of(&event))?;
        match updated {
            Ok((is_changed, is_new)) => {
                if is_new || is_changed && self.look.node.is_none() {
                    self.look.node = None;
                    self.look.line.clear();
                    self.is_view_due = true;
                }
                Ok(())
            }
            Err(why) => self.answer(None, &Err(why.to_string())),
        }
    }

    /// Takes a place at a table, and sends its game.
    fn sit_down(&mut self, sitting: Sitting) -> Result<(), Gone> {
        let snapshot = sitting.session.game.snapshot().clone();
        let token = sitting.session.token.clone();
        self.sit(Some(sitting))?;
        self.look = ViewState::default();
        self.is_view_due = true;
        let welcome = TableEvent::Welcome {
            client: snapshot.client,
            role: snapshot.role,
            token,
        };
        let snapshot = TableEvent::Snapshot(Box::new(snapshot));
        for event in [welcome, snapshot] {
            self.update_link(&event);
            self.send(text_of(&event))?;
        }
        Ok(())
    }

    /// Takes a place at another table, or none. Messages that the former table has not answered are refused.
    pub(crate) fn sit(&mut self, sitting: Option<Sitting>) -> Result<(), Gone> {
        let left = std::mem::replace(&mut self.sitting, sitting);
        for id in left.into_iter().flat_map(|left| left.asked.into_values()) {
            self.answer(Some(id), &Err("You left the table.".to_owned()))?;
        }
        Ok(())
    }

    /// Keeps a guest's link in step with the guest's seat. A removed guest cannot return by it.
    fn update_link(&self, event: &TableEvent) {
        let Rights::Guest(link) = &self.rights else {
            return;
        };
        match (event, &link.seat) {
            (TableEvent::Removed { may_return, .. }, _) if !may_return => {
                let access = &self.shared.access;
                access.revoke(|known| std::ptr::eq(known, &**link));
                self.shared.keep_links();
            }
            (TableEvent::Welcome { token, .. }, Some(seat)) => seat.lock().token.clone_from(token),
            (TableEvent::Snapshot(snapshot), Some(seat)) => {
                if let Role::Player(sides) = snapshot.role
                    && let Some(side) = sides.iter().next()
                    && std::mem::replace(&mut seat.lock().side, side) != side
                {
                    self.shared.keep_links();
                }
            }
            _ => {}
        }
    }

    /// Sends the selected position.
    fn show(&mut self) -> Result<(), Gone> {
        let sitting = self.sitting.as_ref();
        if let Some(position) = sitting.and_then(|sitting| sitting.find(&self.look).ok()) {
            let shown = json!(Told::View(&self.look.show(&position)));
            let text = self.packing.view(shown);
            self.send(text)?;
        }
        Ok(())
    }

    fn answer(&self, id: Option<MessageId>, answer: &Result<Value, String>) -> Result<(), Gone> {
        self.send(connection::answer_text(id, answer))
    }

    /// Sends a text. Blocks while the page reads slowly; if that takes too long, its connection is closed. Meanwhile
    /// the table continues, and drops events that exceed the queue.
    fn send(&self, text: String) -> Result<(), Gone> {
        let message = self.packing.message(text);
        self.to_page.blocking_send(message).map_err(|_| Gone)
    }
}

/// A source of input. An inactive one is a channel that never receives.
fn source<T>(receiver: Option<&Receiver<T>>) -> Receiver<T> {
    receiver.cloned().unwrap_or_else(never)
}

impl Sitting {
    pub(crate) fn new(session: TableSession, visit: ViewerGuard) -> Sitting {
        let mut sitting = Sitting {
            turns: BoardTurns::of(session.game.board()),
            session,
            asked: BTreeMap::new(),
            quit: None,
            visit,
        };
        sitting.keep_ledger();
        sitting
    }

    /// Sends the lobby the ledger of the table, once there is one.
    fn keep_ledger(&mut self) {
        if let Some(path) = &self.session.game.snapshot().ledger {
            // It is set once: a table has one ledger.
            let _ = self.visit.0.ledger.set(path.clone());
        }
    }

    /// `true` for an engine's move after a person's.
    fn is_answer(&self, event: &TableEvent) -> bool {
        let (tree, here) = (self.session.game.tree(), self.session.game.here());
        let by_person = tree.ply(here).is_some_and(|ply| ply.by == Mover::Person);
        by_person
            && matches!(event, TableEvent::MovePlayed { placed, .. } if placed.by == Mover::Engine)
    }

    /// Updates the game. The flags are `true` if the position, and if the game, has changed.
    fn update(&mut self, event: &TableEvent) -> Result<(bool, bool), SessionError> {
        let before = self.session.game.snapshot().id.clone();
        let is_moved = self.session.game.update(event)?;
        self.keep_ledger();
        let game = &self.session.game;
        let is_new = game.snapshot().id != before;
        if is_new {
            self.turns = BoardTurns::of(game.board());
        }
        // The end of a game changes the view too.
        let is_over = matches!(event, TableEvent::GameOver { .. });
        Ok((is_moved || is_over, is_new))
    }

    /// Returns the selected position.
    pub(crate) fn find(&self, look: &ViewState) -> Result<Position, String> {
        let found = look.find(&self.session.game, self.turns);
        found.map_err(|why| why.to_string())
    }
}
