//! The sockets, the runtime, and what is answered over HTTP.

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, Path, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use crossbeam_channel::{Receiver, Sender, bounded};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use parking_lot::Mutex;
use referee::plan::GameSpec;
use serde::Serialize;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tower_http::compression::CompressionLayer;

use crate::access::{self, Access, Rights};
use crate::games::GameInfo;
use crate::limits::{
    BACKLOG, MAX_CONNECTIONS, MAX_GUEST_MESSAGE, MAX_HOST_MESSAGE, MAX_TABS, SEND_BUFFER,
};
use crate::lobby::Lobby;
use crate::reporter::Reporter;
use crate::{Host, MatchSource, assets, connection};

/// How long a request may take to arrive.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// A pause after a connection that could not be taken: where descriptors are short, trying at once frees none.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// How long open connections may take to end with the server.
const SHUTDOWN: Duration = Duration::from_millis(200);

/// How a server is set up.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The port on this machine; 0 takes any free one.
    pub port: u16,
    /// A second address, where guests come in.
    pub listen: Option<SocketAddr>,
    /// What the first page opens, if anything.
    pub start: Option<Start>,
    /// The match that pages follow, if any.
    pub source: Option<MatchSource>,
    /// How long a table without a page is kept.
    pub grace: Duration,
    /// How long a page may take to read a text.
    pub send_timeout: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            port: 0,
            listen: None,
            start: None,
            source: None,
            grace: Duration::from_secs(30),
            send_timeout: Duration::from_secs(20),
        }
    }
}

/// The game that the arguments of the program name.
#[derive(Debug, Clone, Serialize)]
pub struct Start {
    /// The game with its options.
    pub game: GameSpec,
    /// Who plays, in the order of the sides.
    pub seats: [String; 2],
}

/// What all connections share.
pub(crate) struct Shared {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) access: Arc<Access>,
    pub(crate) lobby: Lobby,
    pub(crate) settings: Settings,
    /// Where guests reach the server.
    pub(crate) guest_address: SocketAddr,
    games: OnceLock<Vec<GameInfo>>,
    /// What the first page opens; it is taken once.
    pub(crate) start: Mutex<Option<Start>>,
    pub(crate) source: Option<MatchSource>,
    /// The report of that match.
    pub(crate) reporter: Option<Reporter>,
    /// How that match ended, once it has.
    pub(crate) match_end: OnceLock<String>,
    /// Closed when the server ends.
    pub(crate) end: Receiver<Infallible>,
    tabs: Arc<Semaphore>,
}

impl Shared {
    /// The games as pages offer them. Boards are drawn for that, so the server does not wait for it.
    pub(crate) fn games(&self) -> &[GameInfo] {
        let all = || GameInfo::all(self.host.registry());
        self.games.get_or_init(all)
    }
}

/// A server that runs.
pub struct Server {
    runtime: Runtime,
    shared: Arc<Shared>,
    address: SocketAddr,
    /// Dropped to tell the pages that the server ends.
    end: Sender<Infallible>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({})", self.address)
    }
}

impl Server {
    /// Listens and serves from now on, on threads of its own.
    ///
    /// # Errors
    /// An address cannot be listened to; the error names it. Or no thread can be started.
    pub fn start(settings: Settings, host: Arc<dyn Host>) -> io::Result<Server> {
        let local = SocketAddr::from((Ipv4Addr::LOCALHOST, settings.port));
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("gui")
            .enable_all()
            .build()?;
        let bind = |address: SocketAddr| {
            let listener = runtime.block_on(async { listen(address) });
            listener.map_err(|error| referee::event::naming(address, &error))
        };
        let mut listeners = vec![bind(local)?];
        listeners.extend(settings.listen.map(bind).transpose()?);
        let addresses = listeners
            .iter()
            .map(TcpListener::local_addr)
            .collect::<io::Result<Vec<_>>>()?;
        let access = Arc::new(Access::new(addresses.clone())?);
        let (end, ended) = bounded(0);
        let reporter = settings.source.as_ref().map(Reporter::start).transpose()?;
        let shared = Arc::new(Shared {
            lobby: Lobby::new(Arc::clone(&access), settings.grace),
            access,
            games: OnceLock::new(),
            host,
            guest_address: addresses[addresses.len() - 1],
            start: Mutex::new(settings.start.clone()),
            source: settings.source.clone(),
            reporter,
            match_end: OnceLock::new(),
            end: ended,
            settings,
            tabs: Arc::new(Semaphore::new(MAX_TABS)),
        });
        // The first page need not wait for its boards.
        let drawn = Arc::clone(&shared);
        let thread = thread::Builder::new().name("games".to_owned());
        thread.spawn(move || {
            drawn.games();
        })?;
        let app = app(&shared);
        let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        for listener in listeners {
            runtime.spawn(accept(listener, app.clone(), Arc::clone(&connections)));
        }
        Ok(Server {
            runtime,
            shared,
            address: addresses[0],
            end,
        })
    }

    /// The address of the page, with the host's token.
    pub fn link(&self) -> String {
        let token = self.shared.access.host_token();
        format!("http://{}/?token={token}", self.address)
    }

    /// Tells the pages how the match ended that they show, after everything else that happened in it, and ends. Blocks
    /// until each page has read that, at most for this time.
    pub fn end_match(self, text: String, limit: Duration) {
        // The server ends once.
        let _ = self.shared.match_end.set(text);
        drop(self.end);
        let pages = self.shared.tabs.acquire_many(MAX_TABS as u32);
        let _ = self.runtime.block_on(async { timeout(limit, pages).await });
        self.runtime.shutdown_timeout(SHUTDOWN);
    }

    /// Ends all tables and their engines, then the connections. Blocks until the engines have quit or are killed.
    pub fn stop(self) {
        self.shared.lobby.stop();
        self.runtime.shutdown_timeout(SHUTDOWN);
    }
}

type AppState = State<Arc<Shared>>;

fn app(shared: &Arc<Shared>) -> Router {
    let compression = CompressionLayer::new();
    Router::new()
        .route("/", get(index))
        .route("/page/{*name}", get(asset))
        .layer(compression)
        .route("/ws", get(web_socket))
        .layer(from_fn_with_state(Arc::clone(shared), guard))
        .with_state(Arc::clone(shared))
}

/// Listens at an address. What a page does not read waits in its tab, where it is bounded, and hardly in the system.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A port whose last connections are just being closed can be taken again.
    socket.set_reuseaddr(true)?;
    // The sockets of its connections inherit this.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Takes connections, a bounded number at once.
async fn accept(listener: TcpListener, app: Router, connections: Arc<Semaphore>) {
    loop {
        // The semaphore is never closed.
        let Ok(permit) = Arc::clone(&connections).acquire_owned().await else {
            return;
        };
        let Ok((stream, peer)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let app = app.clone();
        tokio::spawn(async move {
            serve(stream, peer, app).await;
            drop(permit);
        });
    }
}

/// Serves one connection until it is closed; a request that does not arrive in time closes it.
async fn serve(stream: TcpStream, peer: SocketAddr, app: Router) {
    // Moves are small and wanted at once. A stream that cannot be told so works as well.
    let _ = stream.set_nodelay(true);
    let app = app.layer(axum::Extension(ConnectInfo(peer)));
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT);
    let connection = builder
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(app))
        .with_upgrades();
    // A connection that fails concerns its page alone.
    let _ = connection.await;
}

/// Refuses what does not come from a page of this server, and tells browsers what a page may do.
async fn guard(State(shared): AppState, request: Request, next: Next) -> Response {
    let headers = request.headers();
    if !shared.access.is_own_host(headers) {
        return refuse("a foreign host: expected the address that the program printed");
    }
    let host = access::host(headers).unwrap_or_default().to_owned();
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let policy = format!(
        "default-src 'self'; connect-src 'self' ws://{host}; img-src 'self' data: blob:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn refuse(why: &'static str) -> Response {
    (StatusCode::FORBIDDEN, format!("{why}\n")).into_response()
}

const NO_TOKEN: &str = "no valid token: expected the whole address that the program printed";

async fn index(
    State(shared): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    uri: Uri,
) -> Response {
    if shared.access.rights(&uri, peer.ip()).is_none() {
        return refuse(NO_TOKEN);
    }
    let mut page = assets::file("index.html");
    page.headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    page
}

async fn asset(Path(name): Path<String>) -> Response {
    assets::file(&name)
}

async fn web_socket(
    State(shared): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    uri: Uri,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !shared.access.is_own_origin(&headers) {
        return refuse("a foreign origin: expected a page of this server");
    }
    let Some(rights) = shared.access.rights(&uri, peer.ip()) else {
        return refuse(NO_TOKEN);
    };
    let Ok(permit) = Arc::clone(&shared.tabs).try_acquire_owned() else {
        let why = format!("too many pages: at most {MAX_TABS} at once\n");
        return (StatusCode::SERVICE_UNAVAILABLE, why).into_response();
    };
    let max = match rights {
        Rights::Host => MAX_HOST_MESSAGE,
        Rights::Player { .. } | Rights::Watcher { .. } => MAX_GUEST_MESSAGE,
    };
    upgrade
        .max_message_size(max)
        .max_frame_size(max)
        .on_upgrade(move |socket| async move {
            connection::run(socket, shared, rights).await;
            drop(permit);
        })
}
