//! The page's files: embedded in the executable, or read from the disk in debug builds.

use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page"]
struct Page;

/// One file of the page; 404 where there is none.
pub(crate) fn file(name: &str) -> Response {
    let (Some(kind), Some(file)) = (content_type(name), Page::get(name)) else {
        return (StatusCode::NOT_FOUND, "no such file of the page\n").into_response();
    };
    let headers = [(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")];
    (headers, file.data.into_owned()).into_response()
}

fn content_type(name: &str) -> Option<&'static str> {
    let (_, extension) = name.rsplit_once('.')?;
    Some(match extension {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_there_and_nothing_else_is() {
        assert_eq!(file("index.html").status(), StatusCode::OK);
        for name in [
            "",
            "none.js",
            "../Cargo.toml",
            "../src/lib.rs",
            "/etc/passwd",
            "..%2fCargo.toml",
        ] {
            assert_eq!(file(name).status(), StatusCode::NOT_FOUND, "{name}");
        }
    }
}
