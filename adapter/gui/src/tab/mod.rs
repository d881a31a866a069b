//! The thread of one page. It handles the page's messages and the events of its table.

mod ask;
mod sitting;

use std::sync::Arc;
use std::time::Instant;

use axum::extract::ws::Message;
use crossbeam_channel::{Receiver, never, select};
use record::event::Event;
use sitting::Sitting;
use table::{Role, TableEvent};
use tokio::sync::mpsc;

use crate::door::{Invitation, Rights};
use crate::packing::Packing;
use crate::reporter::{Following, Reporter, Reports};
use crate::server_state::ServerState;
use crate::view_state::ViewState;
use crate::wire::{self, Told};

/// A message of a page.
pub(crate) enum FromPage {
    /// A text, with its time of arrival.
    Text(String, Instant),
    /// A binary message, which is invalid.
    Binary,
}

/// State of one page.
pub(crate) struct Tab {
    shared: Arc<ServerState>,
    rights: Rights,
    from_page: Receiver<FromPage>,
    to_page: mpsc::Sender<Message>,
    packing: Packing,
    look: ViewState,
    sitting: Option<Sitting>,
    /// The shown match, until its last event is sent.
    following: Option<Following>,
    /// Its reports, until the last one is sent.
    reports: Option<Reports>,
    /// Set when the shown position has changed since it was last sent.
    is_view_due: bool,
}

/// The page has disconnected.
struct Gone;

impl Tab {
    pub(crate) fn new(
        shared: Arc<ServerState>,
        rights: Rights,
        from_page: Receiver<FromPage>,
        to_page: mpsc::Sender<Message>,
        packing: Packing,
    ) -> Tab {
        Tab {
            shared,
            rights,
            from_page,
            to_page,
            packing,
            look: ViewState::default(),
            sitting: None,
            following: None,
            reports: None,
            is_view_due: false,
        }
    }

    /// Serves the page until it disconnects, or its match is over.
    pub(crate) fn run(mut self) {
        // The only error is that the page is gone.
        let _ = self.serve();
    }

    fn serve(&mut self) -> Result<(), Gone> {
        self.greet()?;
        self.following = self.shared.settings.source.as_ref().map(Following::new);
        self.reports = self.shared.reporter.as_ref().map(Reporter::follow);
        loop {
            // Inactive sources of input are channels that never receive.
            let is_busy = self.sitting.as_ref().is_some_and(Sitting::is_busy);
            let is_all_told = self.following.is_none() && self.reports.is_none();
            let page = (!is_busy).then(|| self.from_page.clone());
            let table = self.sitting.as_ref().map(Sitting::events);
            let events = self.following.as_ref().map(Following::events);
            let reports = self.reports.as_ref().map(Reports::news);
            let end = is_all_told.then(|| self.shared.end.clone());
            let (page, end) = (page.unwrap_or_else(never), end.unwrap_or_else(never));
            let table = table.cloned().unwrap_or_else(never);
            let events = events.cloned().unwrap_or_else(never);
            let reports = reports.cloned().unwrap_or_else(never);
            // Draws the board only when no input that could change it is waiting.
            if self.is_view_due && self.from_page.is_empty() && table.is_empty() {
                self.is_view_due = false;
                self.show()?;
            }
            select! {
                recv(page) -> message => match message {
                    Ok(FromPage::Text(text, at)) => self.take(&text, at)?,
                    Ok(FromPage::Binary) => {
                        let why = "not a message: expected text".to_owned();
                        self.answer(None, &Err(why))?;
                    }
                    Err(_) => return Err(Gone),
                },
                recv(table) -> event => match event {
                    Ok(event) => self.hear(event)?,
                    Err(_) => self.sit(None)?,
                },
                recv(events) -> event => self.follow(event.ok())?,
                recv(reports) -> news => match news {
                    Ok(()) => self.send_report()?,
                    Err(_) => self.reports = None,
                },
                recv(end) -> _ => return self.send_end(),
            }
        }
    }

    fn greet(&mut self) -> Result<(), Gone> {
        let own = |link: &Invitation| {
            self.shared
                .lobby
                .find(&link.table)
                .map(|table| table.info())
        };
        let hello = Told::Hello {
            version: env!("CARGO_PKG_VERSION"),
            rights: match &self.rights {
                Rights::Host => "host",
                Rights::Guest(link) if link.seat.is_some() => "player",
                Rights::Guest(_) => "watcher",
            },
            games: self.shared.games(),
            tables: match &self.rights {
                Rights::Host => self.shared.lobby.list(),
                Rights::Guest(link) => own(link).into_iter().collect(),
            },
            is_match: self.shared.settings.source.is_some(),
            start: match self.rights {
                Rights::Host => self.shared.start.lock().take().map(Box::new),
                Rights::Guest(_) => None,
            },
        };
        self.send(hello.text())
    }

    fn send_report(&self) -> Result<(), Gone> {
        match self.reports.as_ref().and_then(Reports::newest) {
            Some(html) => self.send(Told::Report { html: &html }.text()),
            None => Ok(()),
        }
    }

    /// Sends an event of the match. `None` means that it has ended.
    fn follow(&mut self, event: Option<Arc<Event>>) -> Result<(), Gone> {
        let Some(following) = &mut self.following else {
            return Ok(());
        };
        match event {
            Some(event) => {
                let ends = following.lost_ends(&event);
                self.send_all(std::iter::once(&*event).chain(&ends))
            }
            None => self.stop_following(),
        }
    }

    /// Sends events that were lost at the end of the match, and its final state.
    fn stop_following(&mut self) -> Result<(), Gone> {
        let Some(mut following) = self.following.take() else {
            return Ok(());
        };
        let Some(lagged) = following.last() else {
            return Ok(());
        };
        let ends = following.lost_ends(&lagged);
        let state = self.shared.settings.source.as_ref();
        let state = state.and_then(|source| source.events.watch().next());
        self.send_all(
            std::iter::once(&*lagged)
                .chain(&ends)
                .chain(state.as_deref()),
        )
    }

    fn send_all<'a>(&self, events: impl Iterator<Item = &'a Event>) -> Result<(), Gone> {
        for event in events {
            self.send(wire::json(event))?;
        }
        Ok(())
    }

    /// Sends the result of the match.
    fn send_end(&self) -> Result<(), Gone> {
        match self.shared.match_end.get() {
            Some(text) => self.send(Told::MatchOver { text }.text()),
            None => Ok(()),
        }
    }

    fn hear(&mut self, event: TableEvent) -> Result<(), Gone> {
        if let Rights::Guest(link) = &self.rights {
            self.update_link(link, &event);
        }
        let Some(sitting) = &mut self.sitting else {
            return Ok(());
        };
        let heard = sitting.hear(event, &*self.shared.host);
        if heard.is_new || heard.is_changed && self.look.node.is_none() {
            self.look.follow();
            self.is_view_due = true;
        }
        for text in heard.texts {
            self.send(text)?;
        }
        if heard.is_refused {
            self.sitting = None;
        }
        Ok(())
    }

    /// Takes a place at another table, or none. Messages that the former table has not answered are refused.
    fn sit(&mut self, sitting: Option<Sitting>) -> Result<(), Gone> {
        let left = std::mem::replace(&mut self.sitting, sitting);
        for id in left.into_iter().flat_map(Sitting::unanswered) {
            self.answer(Some(id), &Err("You left the table.".to_owned()))?;
        }
        Ok(())
    }

    /// Keeps a guest's link in step with the guest's seat. A removed guest cannot return by it.
    fn update_link(&self, link: &Arc<Invitation>, event: &TableEvent) {
        if let TableEvent::Removed {
            may_return: false, ..
        } = event
        {
            let access = &self.shared.access;
            return access.revoke(|known| std::ptr::eq(known, &**link));
        }
        let Some(seat) = &link.seat else {
            return;
        };
        match event {
            TableEvent::Welcome { token, .. } => seat.lock().token.clone_from(token),
            TableEvent::Snapshot(snapshot) => {
                if let Role::Player(sides) = snapshot.role
                    && let Some(side) = sides.iter().next()
                {
                    seat.lock().side = side;
                }
            }
            _ => {}
        }
    }

    /// Sends the selected position.
    fn show(&mut self) -> Result<(), Gone> {
        let sitting = self.sitting.as_ref();
        // Nothing can be shown before the first snapshot.
        match sitting.and_then(|sitting| sitting.find(&self.look).ok()) {
            Some(position) => {
                let text = self.packing.view(&self.look.show(&position));
                self.send(text)
            }
            None => Ok(()),
        }
    }

    fn answer(
        &self,
        id: Option<wire::MessageId>,
        answer: &Result<serde_json::Value, String>,
    ) -> Result<(), Gone> {
        self.send(wire::answer_text(id, answer))
    }

    /// Sends a text. Blocks while the page reads slowly; if that takes too long, its connection is closed. Meanwhile
    /// the table continues, and drops events that exceed the queue.
    fn send(&self, text: String) -> Result<(), Gone> {
        let message = self.packing.message(text);
        self.to_page.blocking_send(message).map_err(|_| Gone)
    }
}
