//! A WebSocket connection: moves texts between the socket and its [`tab`](crate::tab). A page that sends too fast is
//! read more slowly; one that reads too slowly is disconnected. When nothing is left to send, the server closes the
//! connection and waits for the page's answer.
//!
//! This code never draws and never waits for a table, so it does not block the runtime.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use crossbeam_channel::{Sender, TrySendError, bounded};
use referee::token_bucket::TokenBucket;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::door::Rights;
use crate::limits::{BURST, MAX_QUEUED, PER_SECOND};
use crate::server_state::ServerState;
use crate::tab::{FromPage, Tab};
use crate::wire::{Packing, Told};

/// Ping interval, and maximum time without a message from the page.
const PING: Duration = Duration::from_secs(25);
const MAX_SILENCE: Duration = Duration::from_secs(90);

/// Pause in reading from a page that exceeds its rate or whose tab is busy.
const PAUSE: Duration = Duration::from_millis(5);

/// Reason for the end of a connection.
enum End {
    /// The page is gone, or reads too slowly.
    Gone,
    /// The page violated the protocol; the text is sent to it.
    Fault(&'static str),
    /// Nothing is left to send.
    Done,
}

/// Serves a page until it disconnects, or is disconnected for a fault.
pub(crate) async fn run(
    socket: WebSocket,
    shared: Arc<ServerState>,
    rights: Rights,
    packing: Packing,
) {
    let send_timeout = shared.settings.send_timeout;
    let (to_tab, from_page) = bounded(MAX_QUEUED);
    let (to_page, from_tab) = mpsc::channel(MAX_QUEUED);
    let tab = Tab::new(shared, rights, from_page, to_page, packing);
    let thread = thread::Builder::new().name("tab".to_owned());
    let is_started = thread.spawn(move || tab.run()).is_ok();
    let mut pump = Pump {
        socket,
        to_tab,
        from_tab,
        waiting: None,
        reads_at: Instant::now(),
        rate: TokenBucket::full(BURST, PER_SECOND, Instant::now()),
        heard: Instant::now(),
        send_timeout,
    };
    let end = if is_started {
        pump.run().await
    } else {
        End::Fault("cannot start a thread: close other pages")
    };
    // Errors do not matter: the page may be gone already.
    let _ = match end {
        End::Gone => Ok(()),
        End::Fault(why) => pump.send_fault(why).await,
        End::Done => timeout(send_timeout, pump.close_handshake())
            .await
            .unwrap_or(Ok(())),
    };
}

struct Pump {
    socket: WebSocket,
    to_tab: Sender<FromPage>,
    from_tab: mpsc::Receiver<Message>,
    /// A message for which the tab's queue had no room.
    waiting: Option<FromPage>,
    rate: TokenBucket,
    /// Time at which the next message is read.
    reads_at: Instant,
    /// Time of the last message from the page.
    heard: Instant,
    send_timeout: Duration,
}

impl Pump {
    async fn run(&mut self) -> End {
        let mut ping = interval(PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let may_read = self.waiting.is_none() && self.reads_at <= Instant::now();
            let next = tokio::select! {
                message = self.socket.recv(), if may_read => match message {
                    Some(Ok(message)) => self.take(message),
                    Some(Err(_)) => Err(End::Fault("a message that is too long or malformed")),
                    None => Err(End::Gone),
                },
                () = sleep(PAUSE), if !may_read => self.hand_over(),
                message = self.from_tab.recv() => match message {
                    Some(message) => self.send(message).await,
                    None => Err(End::Done),
                },
                _ = ping.tick() => {
                    if self.heard.elapsed() > MAX_SILENCE {
                        return End::Gone;
                    }
                    self.send(Message::Ping(Bytes::new())).await
                }
            };
            if let Err(end) = next {
                return end;
            }
        }
    }

    fn take(&mut self, message: Message) -> Result<(), End> {
        let now = Instant::now();
        self.heard = now;
        self.rate.take(1.0, now);
        self.reads_at = now + self.rate.wait(1.0, now);
        self.waiting = match message {
            Message::Text(text) => Some(FromPage::Text(text.as_str().to_owned(), now)),
            Message::Binary(_) => Some(FromPage::Binary),
            Message::Ping(_) | Message::Pong(_) => None,
            Message::Close(_) => return Err(End::Gone),
        };
        self.hand_over()
    }

    /// Passes the waiting message to the tab if its queue has room.
    fn hand_over(&mut self) -> Result<(), End> {
        let Some(message) = self.waiting.take() else {
            return Ok(());
        };
        match self.to_tab.try_send(message) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(message)) => {
                self.waiting = Some(message);
                Ok(())
            }
            Err(TrySendError::Disconnected(_)) => Err(End::Gone),
        }
    }

    async fn send_fault(&mut self, why: &str) -> Result<(), End> {
        self.send(Message::Text(Told::Error { text: why }.text().into()))
            .await?;
        self.send(Message::Close(None)).await
    }

    /// Performs the closing handshake: the page answers once it has read everything.
    async fn close_handshake(&mut self) -> Result<(), End> {
        self.send(Message::Close(None)).await?;
        while let Some(Ok(_)) = self.socket.recv().await {}
        Ok(())
    }

    /// Sends a message. The timeout covers the whole message, so that a page cannot keep it going by reading a little
    /// at a time.
    async fn send(&mut self, message: Message) -> Result<(), End> {
        match timeout(self.send_timeout, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(End::Gone),
        }
    }
}
