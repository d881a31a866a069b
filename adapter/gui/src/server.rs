//! The sockets, the runtime, and the HTTP routes.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use std::{fmt, io, thread};

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
use crossbeam_channel::{Sender, bounded};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use parking_lot::Mutex;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::access::{self, Access, Rights};
use crate::assets::Assets;
use crate::limits::{
    BACKLOG, MAX_CONNECTIONS, MAX_GUEST_MESSAGE, MAX_HOST_MESSAGE, MAX_TABS, SEND_BUFFER,
};
use crate::lobby::Lobby;
use crate::reporter::Reporter;
use crate::server_state::ServerState;
use crate::settings::Settings;
use crate::{Host, connection};

/// Timeout for the arrival of a request's headers.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// Pause after a failed `accept`. If descriptors are exhausted, retrying at once would fail again.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Time in which open connections may end when the server stops.
const SHUTDOWN: Duration = Duration::from_millis(200);

/// A running server.
pub struct Server {
    runtime: Runtime,
    shared: Arc<ServerState>,
    address: SocketAddr,
    /// Dropped to notify the tabs that the server ends.
    end: Sender<Infallible>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({})", self.address)
    }
}

impl Server {
    /// Starts a server in background threads.
    ///
    /// # Errors
    /// An address cannot be bound, and the error names it; or no thread can be started.
    pub fn start(settings: Settings, host: Arc<dyn Host>) -> io::Result<Server> {
        let local = SocketAddr::from((Ipv4Addr::LOCALHOST, settings.port));
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("gui")
            .enable_all()
            .build()?;
        let bind = |address: SocketAddr| {
            let listener = runtime.block_on(async { listen(address) });
            listener.map_err(|error| record::file::naming(address, &error))
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
        let shared = Arc::new(ServerState {
            lobby: Lobby::new(Arc::clone(&access), settings.grace),
            access,
            assets: Assets::new(),
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
        // Draws the boards in advance.
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

    /// Returns the address of the page, with the host's token.
    pub fn link(&self) -> String {
        let token = self.shared.access.host_token();
        format!("http://{}/?token={token}", self.address)
    }

    /// Sends the result of the match to the pages after all other events, and stops the server. Blocks until each page
    /// has read everything, at most for `limit`.
    pub fn end_match(self, text: String, limit: Duration) {
        // The result is set only once.
        let _ = self.shared.match_end.set(text);
        drop(self.end);
        let pages = self.shared.tabs.acquire_many(MAX_TABS as u32);
        let _ = self.runtime.block_on(async { timeout(limit, pages).await });
        self.runtime.shutdown_timeout(SHUTDOWN);
    }

    /// Ends all tables and their engines, then the connections. Blocks until the engines have ended or are killed.
    pub fn stop(self) {
        self.shared.lobby.stop();
        self.runtime.shutdown_timeout(SHUTDOWN);
    }
}

type AppState = State<Arc<ServerState>>;

fn app(shared: &Arc<ServerState>) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/page/{*name}", get(asset))
        .route("/ws", get(web_socket))
        .layer(from_fn_with_state(Arc::clone(shared), guard))
        .with_state(Arc::clone(shared))
}

/// Binds a listener. Its small send buffers keep texts for slow pages in the tabs' bounded queues instead of the
/// system.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // Allows reuse of a port whose last connections are closing.
    socket.set_reuseaddr(true)?;
    // Accepted sockets inherit this.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Accepts connections, up to a maximum number at once.
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

/// Serves one connection until it closes. A request that does not arrive in time closes it.
async fn serve(stream: TcpStream, peer: SocketAddr, app: Router) {
    // Sends small messages without delay. It also works without this option.
    let _ = stream.set_nodelay(true);
    let app = app.layer(axum::Extension(ConnectInfo(peer)));
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT);
    let connection = builder
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(app))
        .with_upgrades();
    // A failure affects only this connection.
    let _ = connection.await;
}

/// Rejects requests with a foreign `Host`, and adds security headers to the responses.
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
    headers: HeaderMap,
) -> Response {
    if shared.access.rights(&uri, peer.ip()).is_none() {
        return refuse(NO_TOKEN);
    }
    let mut page = shared.assets.file("index.html", &headers);
    page.headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    page
}

async fn asset(State(shared): AppState, Path(name): Path<String>, headers: HeaderMap) -> Response {
    shared.assets.file(&name, &headers)
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
