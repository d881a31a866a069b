//! The page's files, embedded in the executable.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// The name, the kind and the content of a file.
type File = (&'static str, &'static str, &'static [u8]);

/// The files of the page. `build.rs` joins the modules and the style sheets.
const PAGE: [File; 7] = [
    ("index.html", HTML, include_bytes!("../page/index.html")),
    ("page.css", CSS, PAGE_CSS),
    ("page.js", JAVASCRIPT, PAGE_JS),
    ("theme.js", JAVASCRIPT, include_bytes!("../page/theme.js")),
    ("icon.svg", SVG, include_bytes!("../page/icon.svg")),
    ("manifest.webmanifest", MANIFEST, APP),
    // It belongs to the report's crate, not to the folder of the page.
    ("report.css", CSS, report::STYLE.as_bytes()),
];

const PAGE_CSS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/page.css"));
const PAGE_JS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/page.js"));
const APP: &[u8] = include_bytes!("../page/manifest.webmanifest");

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const MANIFEST: &str = "application/manifest+json";

/// Files of the page, each compressed at its first request.
#[derive(Default)]
pub(crate) struct Assets {
    compressed: [OnceLock<Bytes>; PAGE.len()],
}

impl Assets {
    /// Returns one file of the page, compressed if the request accepts that; 304 if the browser has it already, 404 if
    /// there is none of this name.
    pub(crate) fn file(&self, name: &str, request: &HeaderMap) -> Response {
        let mut files = PAGE.into_iter().zip(&self.compressed);
        let Some(((_, kind, content), compressed)) = files.find(|((own, ..), _)| *own == name)
        else {
            return (StatusCode::NOT_FOUND, "no such file\n").into_response();
        };
        let tag = tag(content);
        // The browser keeps a file, and asks with its tag whether it has changed.
        let headers = [
            (CONTENT_TYPE, kind),
            (CACHE_CONTROL, "no-cache"),
            (ETAG, &tag),
            (VARY, "accept-encoding"),
        ];
        if words(request, &IF_NONE_MATCH).any(|known| known == tag) {
            (StatusCode::NOT_MODIFIED, headers).into_response()
        } else if accepts_gzip(request) && kind.starts_with("text/") {
            let packed = compressed.get_or_init(|| gzip(content));
            let encoding = [(CONTENT_ENCODING, "gzip")];
            (headers, encoding, packed.clone()).into_response()
        } else {
            (headers, Bytes::from_static(content)).into_response()
        }
    }
}

/// The words of a header with a list.
fn words<'h>(request: &'h HeaderMap, header: &HeaderName) -> impl Iterator<Item = &'h str> {
    let list = request.get(header).and_then(|list| list.to_str().ok());
    list.unwrap_or_default().split(',').map(str::trim)
}

/// The tag of a content; weak, since it is the same for its compressed form.
fn tag(content: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    format!("W/\"{:016x}\"", hasher.finish())
}

fn accepts_gzip(request: &HeaderMap) -> bool {
    words(request, &ACCEPT_ENCODING).any(|encoding| {
        let (name, weight) = encoding.split_once(';').unwrap_or((encoding, ""));
        name.trim() == "gzip" && weight.trim() != "q=0"
    })
}

fn gzip(content: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(content).and_then(|()| encoder.finish());
    written.expect("memory takes all").into()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_page_is_there_and_nothing_else_is() {
        let assets = Assets::default();
        let file = |name| assets.file(name, &HeaderMap::new());
        for name in ["index.html", "page.js", "page.css", "report.css"] {
            assert_eq!(file(name).status(), StatusCode::OK, "{name}");
        }
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

    #[test]
    fn a_file_that_the_browser_has_is_not_sent_again() {
        let assets = Assets::default();
        let ask = |known: Option<&HeaderValue>| {
            let mut request = HeaderMap::new();
            if let Some(known) = known {
                request.insert(IF_NONE_MATCH, known.clone());
            }
            assets.file("page.js", &request)
        };
        let tag = ask(None).headers()[ETAG].clone();
        assert_eq!(ask(Some(&tag)).status(), StatusCode::NOT_MODIFIED);
        let other = HeaderValue::from_static("W/\"0\"");
        assert_eq!(ask(Some(&other)).status(), StatusCode::OK);
    }

    #[test]
    fn a_file_is_compressed_if_the_request_accepts_that() {
        let assets = Assets::default();
        let encoding = |accepted: &'static str| {
            let mut request = HeaderMap::new();
            request.insert(ACCEPT_ENCODING, accepted.parse().expect("a value"));
            let response = assets.file("page.js", &request);
            assert_eq!(response.status(), StatusCode::OK);
            response.headers().get(CONTENT_ENCODING).cloned()
        };
        assert_eq!(encoding("br, gzip").expect("compressed"), "gzip");
        assert_eq!(encoding("gzip;q=0.5, *").expect("compressed"), "gzip");
        assert_eq!(encoding("br"), None);
        assert_eq!(encoding("gzip;q=0"), None);
    }
}
