//! The sockets, the runtime and the HTTP routes.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use std::{fmt, io, thread};

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, REFRESH, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use crossbeam_channel::{Sender, bounded};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use parking_lot::{Condvar, Mutex};
use table::strangers::Strangers;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::task::{AbortHandle, spawn_blocking};
use tokio::time::timeout;

use crate::assets::Assets;
use crate::door::{self, Access, Door, Rights};
use crate::limits::{BACKLOG, Limits, MAX_GUEST_MESSAGE, MAX_HEAD, MAX_HOST_MESSAGE, SEND_BUFFER};
use crate::lobby::Lobby;
use crate::server_state::ServerState;
use crate::tab::Tab;
use crate::tls::{self, TlsAcceptor};
use crate::view_state::Packing;
use crate::{Host, Settings, connection};

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
    /// An address cannot be bound or a file of TLS cannot be used, and the error names it; no thread can be started; or
    /// too few descriptors are left for a table.
    pub fn start(settings: Settings, host: Arc<dyn Host>) -> io::Result<Server> {
        let local = SocketAddr::from((Ipv4Addr::LOCALHOST, settings.port));
        let limits = Limits::new(settings.reserved).map_err(io::Error::other)?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("gui")
            .enable_all()
            .build()?;
        let bind = |address: SocketAddr| {
            let listener = runtime.block_on(async { listen(address) });
            listener.map_err(|error| record::file::naming(address, &error))
        };
        let tls = settings.tls.as_ref().map(tls::read).transpose()?;
        let mut listeners = vec![bind(local)?];
        listeners.extend(settings.listen.map(bind).transpose()?);
        let mut doors = Vec::new();
        for listener in &listeners {
            let is_host = doors.is_empty();
            doors.push(Arc::new(Door {
                is_host,
                address: listener.local_addr()?,
                is_tls: !is_host && tls.is_some(),
                public: settings.url.clone().filter(|_| !is_host),
            }));
        }
        let address = doors[0].address;
        let links = settings.links.clone();
        let access = Arc::new(Access::new(settings.host_token.clone(), links)?);
        let (end, ended) = bounded(0);
        let shared = Arc::new(ServerState {
            lobby: Arc::new(Lobby {
                access: Arc::clone(&access),
                grace: settings.grace,
                max_tables: limits.tables,
                tables: Mutex::default(),
                is_stopped: AtomicBool::new(false),
                opening: Mutex::default(),
                opened: Condvar::new(),
            }),
            access,
            keeping: Mutex::default(),
            assets: Assets::default(),
            games: OnceLock::new(),
            recorded: OnceLock::new(),
            host,
            guest_door: Arc::clone(&doors[doors.len() - 1]),
            start: Mutex::new(settings.start.clone()),
            match_end: OnceLock::new(),
            end: ended,
            settings,
            limits,
            host_tabs: Arc::new(Semaphore::new(limits.tabs)),
            guest_tabs: Arc::new(Semaphore::new(limits.tabs)),
        });
        // Draws the boards in advance.
        let drawn = Arc::clone(&shared);
        let thread = thread::Builder::new().name("games".to_owned());
        thread.spawn(move || {
            drawn.games();
        })?;
        let (app, header_timeout) = (app(&shared), shared.settings.header_timeout);
        for (listener, door) in listeners.into_iter().zip(doors) {
            let tls = tls.clone().filter(|_| door.is_tls);
            let app = app.clone().layer(Extension(door));
            runtime.spawn(accept(
                listener,
                tls,
                app,
                header_timeout,
                limits.connections,
            ));
        }
        Ok(Server {
            runtime,
            shared,
            address,
            end,
        })
    }

    /// Returns the address of the page, with the host's token.
    pub fn link(&self) -> String {
        format!(
            "http://{}/?token={}",
            self.address, self.shared.access.host_token
        )
    }

    /// Sends the result of the match to the pages after all other events, and stops the server. Blocks until each page
    /// has read everything, at most for `limit`.
    pub fn end_match(self, text: String, limit: Duration) {
        // The result is set only once.
        let _ = self.shared.match_end.set(text);
        drop(self.end);
        let shared = &self.shared;
        let pages = shared.host_tabs.acquire_many(shared.limits.tabs as u32);
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
type AppDoor = Extension<Arc<Door>>;

fn app(shared: &Arc<ServerState>) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/lobby", get(shell))
        .route("/game/{id}", get(shell))
        .route("/puzzle/{game}/{number}", get(shell))
        .route("/match/{id}", get(shell))
        .route("/match/{id}/{game}", get(shell))
        .route("/page/{*name}", get(asset))
        .route("/ws", get(web_socket))
        .layer(from_fn(guard))
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

/// Accepts connections. WebSockets are not counted here: a connection that has become one is finished.
pub(crate) async fn accept(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    app: Router,
    header_timeout: Duration,
    max_connections: usize,
) {
    let mut strangers = Strangers::new(max_connections);
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        // Sends small messages without delay. It also works without this option.
        let _ = stream.set_nodelay(true);
        let (tls, app) = (tls.clone(), app.clone());
        let connection = tokio::spawn(async move {
            match tls {
                None => serve(stream, app, header_timeout).await,
                Some(tls) => {
                    if let Ok(Ok(stream)) = timeout(header_timeout, tls.accept(stream)).await {
                        serve(stream, app, header_timeout).await;
                    }
                }
            }
        });
        let is_open = |connection: &AbortHandle| !connection.is_finished();
        if let Some(replaced) = strangers.add(peer.ip(), connection.abort_handle(), is_open) {
            replaced.abort();
        }
    }
}

/// Serves one connection until it closes. A request that does not arrive in time closes it.
async fn serve(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    app: Router,
    header_timeout: Duration,
) {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(header_timeout)
        .max_buf_size(MAX_HEAD);
    let connection = builder
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(app))
        .with_upgrades();
    // A failure affects only this connection.
    let _ = connection.await;
}

/// Rejects requests with a foreign `Host`, and adds security headers to the responses.
async fn guard(Extension(door): AppDoor, request: Request, next: Next) -> Response {
    let headers = request.headers();
    if !door.is_own_host(headers) {
        return refuse("This address is not the one that the program printed. Open that one.");
    }
    let host = door::host(headers).unwrap_or_default();
    let policy = format!(
        "default-src 'self'; connect-src 'self' ws://{host} wss://{host}; img-src 'self' data: blob:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let headers = [
        (CONTENT_SECURITY_POLICY, policy.as_str()),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
    ];
    (headers, next.run(request).await).into_response()
}

fn refuse(why: &'static str) -> Response {
    (StatusCode::FORBIDDEN, format!("{why}\n")).into_response()
}

/// Returns the rights of a request. The table of a guest's link is opened if it is closed.
async fn admit(shared: &Arc<ServerState>, door: &Door, uri: &Uri) -> Result<Rights, Response> {
    let rights = shared.access.rights(uri, door.is_host);
    let rights = rights.ok_or_else(|| refuse_token(door))?;
    let Rights::Guest(link) = &rights else {
        return Ok(rights);
    };
    let (opener, link) = (Arc::clone(shared), Arc::clone(link));
    match spawn_blocking(move || opener.table_of(&link)).await {
        Ok(Ok(Some(_))) => Ok(rights),
        Ok(Ok(None)) => Err(refuse_token(door)),
        // The reason is not the guest's business: it names files and programs.
        Ok(Err(_)) | Err(_) => Err(([(REFRESH, "5")], unavailable(CANNOT_OPEN)).into_response()),
    }
}

const CANNOT_OPEN: &str = "The game is kept, but Linesman cannot open it now. Tell your friend, who may have it open in \
                           another program. This page tries again every few seconds.\n";

fn unavailable(why: impl Into<String>) -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, why.into()).into_response()
}

/// Rejects a request without a valid token. On this machine it may be that of the host or that of a guest.
fn refuse_token(door: &Door) -> Response {
    refuse(match door.is_host {
        true => {
            "This address is not complete, or no longer valid. Open the whole address that the program printed. A guest \
             whose game has ended, or whose link was replaced, needs a new link."
        }
        false => {
            "This link is no longer valid: the game has ended, or the link was replaced. Ask your friend for a new one."
        }
    })
}

async fn index(
    State(shared): AppState,
    Extension(door): AppDoor,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let admitted = admit(&shared, &door, &uri).await;
    let page = |_| shared.assets.file("index.html", &headers);
    let no_store = [(CACHE_CONTROL, "no-store")];
    (no_store, admitted.map_or_else(|refused| refused, page)).into_response()
}

/// The page at the address of a table, a puzzle or a match, or as an installed app. It contains no data; its token is in
/// the browser.
async fn shell(State(shared): AppState, headers: HeaderMap) -> Response {
    shared.assets.file("index.html", &headers)
}

async fn asset(State(shared): AppState, Path(name): Path<String>, headers: HeaderMap) -> Response {
    shared.assets.file(&name, &headers)
}

async fn web_socket(
    State(shared): AppState,
    Extension(door): AppDoor,
    uri: Uri,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !door.is_own_origin(&headers) {
        return refuse(
            "This request comes from a page of another server. Open the page of this one.",
        );
    }
    let rights = match admit(&shared, &door, &uri).await {
        Ok(rights) => rights,
        Err(refused) => return refused,
    };
    let (tabs, max) = match rights {
        Rights::Host => (&shared.host_tabs, MAX_HOST_MESSAGE),
        Rights::Guest(_) => (&shared.guest_tabs, MAX_GUEST_MESSAGE),
    };
    let mut words = uri.query().unwrap_or_default().split('&');
    let mut packing = Packing::default();
    packing.is_on = words.any(|word| word == "packed=1");
    let Ok(permit) = Arc::clone(tabs).try_acquire_owned() else {
        let max = shared.limits.tabs;
        return unavailable(format!("too many pages: at most {max} at once\n"));
    };
    let send_timeout = shared.settings.send_timeout;
    let queues = match Tab::start(shared, rights, packing) {
        Ok(queues) => queues,
        Err(error) => return unavailable(format!("cannot start a thread: {error}\n")),
    };
    upgrade
        .max_message_size(max)
        .max_frame_size(max)
        .on_upgrade(move |socket| async move {
            connection::run(socket, queues, send_timeout).await;
            drop(permit);
        })
}
