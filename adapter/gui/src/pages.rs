//! A server of pages that change nothing: those of a club, and of the matches of a fleet. It answers GET and HEAD, one
//! request per connection, within limits of size, time and number. A reverse proxy may add TLS.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{StatusCode, Uri};
use axum::response::Html;
use axum::routing::get;
use tokio::runtime::Builder;
use tokio::task::spawn_blocking;

use crate::server::accept;

/// Time in which a client must send its request.
const PATIENCE: Duration = Duration::from_secs(5);

/// Pages contain neither scripts nor references to other sites.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/// A page: the status of HTTP, and the text of the page.
pub type Page = (u16, String);

/// The answer for a page that cannot be made.
pub fn unavailable() -> Page {
    (500, "<p>This page cannot be shown now.</p>".to_owned())
}

/// Serves the pages that `page` makes of their paths, until the process is ended.
///
/// # Errors
/// No thread can be started.
pub fn serve_pages(
    listener: TcpListener,
    page: impl Fn(&str) -> Page + Send + Sync + 'static,
) -> io::Result<()> {
    let page = Arc::new(page);
    let answer = move |uri: Uri| {
        let page = Arc::clone(&page);
        async move {
            // A fault in one page affects only this page.
            let made = spawn_blocking(move || page(uri.path())).await;
            let (status, html) = made.unwrap_or_else(|_| unavailable());
            let headers = [
                (CACHE_CONTROL, "no-cache"),
                (CONNECTION, "close"),
                (CONTENT_SECURITY_POLICY, POLICY),
                (X_CONTENT_TYPE_OPTIONS, "nosniff"),
                (REFERRER_POLICY, "no-referrer"),
            ];
            let status = StatusCode::from_u16(status).unwrap_or_default();
            (status, headers, Html(html))
        }
    };
    listener.set_nonblocking(true)?;
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        accept(
            listener,
            None,
            Router::new().fallback(get(answer)),
            PATIENCE,
        )
        .await;
        Ok(())
    })
}
