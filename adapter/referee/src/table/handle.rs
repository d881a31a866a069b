//! The way from a client to its table and back.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};

use super::request::{ClientId, Join, Request, RequestId, Role, TableCommand};
use crate::event::Event;

/// The table has ended and takes no more requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableClosed;

impl fmt::Display for TableClosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the table is closed")
    }
}

impl std::error::Error for TableClosed {}

/// How many requests may wait for a table.
const MAX_WAITING: usize = 256;

/// The table's end: what its clients ask.
#[derive(Debug)]
pub struct Inbox {
    /// What is asked, in turn.
    pub requests: Receiver<Request>,
    /// Holds something once [`TableHandle::stop`] was called.
    pub stop: Receiver<()>,
}

/// The clients' end, that requests go to. Clones lead to the same table.
#[derive(Debug, Clone)]
pub struct TableHandle {
    requests: Sender<Request>,
    stop: Sender<()>,
    n_clients: Arc<AtomicU64>,
}

impl TableHandle {
    /// A handle and the table's end of it. Faces test themselves with it, without any table.
    pub fn pair() -> (TableHandle, Inbox) {
        let (requests, inbox) = bounded(MAX_WAITING);
        let (stop, stopped) = bounded(1);
        let handle = TableHandle {
            requests,
            stop,
            n_clients: Arc::default(),
        };
        let inbox = Inbox {
            requests: inbox,
            stop: stopped,
        };
        (handle, inbox)
    }

    /// A client that asks to join. At most `capacity` events wait for it; beyond that it loses events.
    pub fn join(
        &self,
        name: &str,
        role: Role,
        token: Option<String>,
        capacity: usize,
    ) -> Result<TableClient, TableClosed> {
        let (sender, events) = bounded(capacity);
        let client = TableClient {
            id: ClientId(self.n_clients.fetch_add(1, Ordering::Relaxed) + 1),
            table: self.clone(),
            events,
            n_requests: AtomicU64::new(0),
        };
        client.send(TableCommand::Join(Join {
            name: name.to_owned(),
            role,
            token,
            events: sender,
        }))?;
        Ok(client)
    }

    /// Passes a request on. Waits while too many requests wait: a client that floods the table slows down itself.
    pub fn send(&self, request: Request) -> Result<(), TableClosed> {
        self.requests.send(request).map_err(|_| TableClosed)
    }

    /// Ends the table, whatever waits before. Never blocks.
    pub fn stop(&self) {
        // A full channel holds a stop already.
        let _ = self.stop.try_send(());
    }
}

/// One client's end: its requests, and the events that come to it.
#[derive(Debug)]
pub struct TableClient {
    id: ClientId,
    table: TableHandle,
    events: Receiver<Event>,
    n_requests: AtomicU64,
}

impl TableClient {
    /// The client's number.
    pub fn id(&self) -> ClientId {
        self.id
    }

    /// What happens, for this client. It is disconnected after [`TableEvent::Closed`](super::TableEvent::Closed).
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// Asks something now. The number comes back with the answer.
    pub fn send(&self, command: TableCommand) -> Result<RequestId, TableClosed> {
        self.send_at(command, Instant::now())
    }

    /// Asks something that came here at `at`: a move's time on the clock ends then.
    pub fn send_at(&self, command: TableCommand, at: Instant) -> Result<RequestId, TableClosed> {
        let id = RequestId(self.n_requests.fetch_add(1, Ordering::Relaxed) + 1);
        self.table.send(Request {
            client: self.id,
            id,
            command,
            at,
        })?;
        Ok(id)
    }
}

impl Drop for TableClient {
    fn drop(&mut self) {
        let _ = self.send(TableCommand::Leave);
    }
}
