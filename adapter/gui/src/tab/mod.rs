//! What one page does: a thread that takes its messages and the events of the table that it looks at.

mod ask;
mod sitting;

use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::{Receiver, never, select};
use referee::event::Event;
use tokio::sync::mpsc;

use crate::access::Rights;
use crate::look::Look;
use crate::reporter::{Reporter, Reports};
use crate::server::Shared;
use crate::watch::Following;
use crate::wire::{self, Told};
use sitting::Sitting;

/// What comes from a page.
#[derive(Debug)]
pub(crate) enum FromPage {
    /// A message, and when it arrived.
    Text(String, Instant),
    /// A message that is no text.
    Binary,
}

/// One page.
pub(crate) struct Tab {
    shared: Arc<Shared>,
    rights: Rights,
    from_page: Receiver<FromPage>,
    to_page: mpsc::Sender<String>,
    look: Look,
    sitting: Option<Sitting>,
    following: Option<Following>,
    /// Whether what is looked at has changed since the page was told.
    is_view_due: bool,
}

/// The page has gone.
struct Gone;

impl Tab {
    pub(crate) fn new(
        shared: Arc<Shared>,
        rights: Rights,
        from_page: Receiver<FromPage>,
        to_page: mpsc::Sender<String>,
    ) -> Tab {
        Tab {
            shared,
            rights,
            from_page,
            to_page,
            look: Look::default(),
            sitting: None,
            following: None,
            is_view_due: false,
        }
    }

    /// Serves the page until it goes.
    pub(crate) fn run(mut self) {
        // However it ends, the page has gone then.
        let _ = self.serve();
    }

    fn serve(&mut self) -> Result<(), Gone> {
        self.greet()?;
        self.following = self.shared.source.as_ref().map(Following::new);
        let mut reports = self.shared.reporter.as_ref().map(Reporter::follow);
        loop {
            let new_report = reports.as_ref().map(|reports| reports.news().clone());
            let new_report = new_report.unwrap_or_else(never);
            let none = never();
            let news = self
                .following
                .as_ref()
                .map(|following| following.events().clone());
            let news = news.unwrap_or_else(never);
            let events = self
                .sitting
                .as_ref()
                .map(|sitting| sitting.events().clone());
            let events = events.unwrap_or(none);
            let is_busy = self.sitting.as_ref().is_some_and(Sitting::is_busy);
            let from_page = if is_busy {
                never()
            } else {
                self.from_page.clone()
            };
            // A board is drawn when nothing waits that could change it.
            if self.is_view_due && self.from_page.is_empty() && events.is_empty() {
                self.is_view_due = false;
                self.show()?;
            }
            select! {
                recv(from_page) -> message => match message {
                    Ok(FromPage::Text(text, at)) => self.take(&text, at)?,
                    Ok(FromPage::Binary) => {
                        let why = "not a message: expected text".to_owned();
                        self.answer(None, &Err(why))?;
                    }
                    Err(_) => return Err(Gone),
                },
                recv(events) -> event => match event {
                    Ok(event) => self.hear(&event)?,
                    Err(_) => self.sitting = None,
                },
                recv(news) -> event => self.follow(event.ok())?,
                recv(new_report) -> news => match news {
                    Ok(()) => self.tell_report(reports.as_ref())?,
                    Err(_) => reports = None,
                },
            }
        }
    }

    fn greet(&mut self) -> Result<(), Gone> {
        let is_host = self.rights == Rights::Host;
        let own = |table: &String| self.shared.lobby.find(table).map(|table| table.info());
        let hello = Told::Hello {
            version: env!("CARGO_PKG_VERSION"),
            rights: match self.rights {
                Rights::Host => "host",
                Rights::Player { .. } => "player",
                Rights::Watcher { .. } => "watcher",
            },
            games: self.shared.games(),
            tables: match &self.rights {
                Rights::Host => self.shared.lobby.list(),
                Rights::Player { table, .. } | Rights::Watcher { table } => {
                    own(table).into_iter().collect()
                }
            },
            is_match: self.shared.source.is_some(),
            start: is_host.then(|| self.shared.start.lock().take()).flatten(),
        };
        self.send(hello.text())
    }

    fn tell_report(&self, reports: Option<&Reports>) -> Result<(), Gone> {
        match reports.and_then(Reports::newest) {
            Some(html) => self.send(Told::Report { html: &html }.text()),
            None => Ok(()),
        }
    }

    /// Tells what happens in the match; without an event it has ended.
    fn follow(&mut self, event: Option<Arc<Event>>) -> Result<(), Gone> {
        let Some(following) = &mut self.following else {
            return Ok(());
        };
        let is_end = event.is_none();
        let Some(event) = event.or_else(|| following.last()) else {
            self.following = None;
            return Ok(());
        };
        let ends = following.lost_ends(&event);
        if is_end {
            self.following = None;
        }
        for event in std::iter::once(&*event).chain(&ends) {
            self.send(wire::event_text(event, |_| None))?;
        }
        Ok(())
    }

    fn hear(&mut self, event: &Event) -> Result<(), Gone> {
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
        Ok(())
    }

    /// Tells the page what it looks at.
    fn show(&mut self) -> Result<(), Gone> {
        let sitting = self.sitting.as_ref();
        // Before the first snapshot there is nothing to show.
        match sitting.and_then(|sitting| sitting.find(&self.look).ok()) {
            Some(position) => self.send(Told::View(&self.look.show(&position)).text()),
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

    /// Waits while the page reads slowly; its connection is closed if that takes too long. Meanwhile the table goes on,
    /// and drops what does not fit into the queue of events.
    fn send(&self, text: String) -> Result<(), Gone> {
        self.to_page.blocking_send(text).map_err(|_| Gone)
    }
}
