//! Files of the page: embedded in the executable, or read from the disk in debug builds.

use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page"]
struct Page;

/// Style sheet of a match report. It is provided by the `report` crate.
const REPORT_STYLE: &str = "report.css";

/// Returns a file of the page, or 404.
pub(crate) fn file(name: &str) -> Response {
    if name == REPORT_STYLE {
        let headers = [
            (CONTENT_TYPE, "text/css; charset=utf-8"),
            (CACHE_CONTROL, "no-cache"),
        ];
        return (headers, report::STYLE).into_response();
    }
    let (Some(kind), Some(file)) = (content_type(name), Page::get(name)) else {
        return (StatusCode::NOT_FOUND, "no such file\n").into_response();
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
    use std::collections::BTreeSet;

    use super::*;

    fn text(name: &str) -> String {
        let file = Page::get(name).unwrap_or_else(|| panic!("{name} is no file of the page"));
        String::from_utf8(file.data.into_owned()).expect("it is a text")
    }

    /// Returns the texts between two delimiters.
    fn names<'a>(
        text: &'a str,
        before: &'a str,
        after: &'a str,
    ) -> impl Iterator<Item = String> + 'a {
        let parts = text.split(before).skip(1);
        parts.filter_map(move |part| Some(part.split_once(after)?.0.to_owned()))
    }

    /// Collects the modules that a module imports statically.
    fn add_needed(module: &str, found: &mut BTreeSet<String>) {
        let text = text(module);
        for needed in names(&text, " from \"./", "\"") {
            if found.insert(needed.clone()) {
                add_needed(&needed, found);
            }
        }
    }

    /// Preloaded modules load in parallel instead of one after the other.
    #[test]
    fn every_module_that_the_page_begins_with_is_loaded_ahead() {
        let mut needed = BTreeSet::new();
        add_needed("main.js", &mut needed);
        let index = text("index.html");
        let ahead = names(&index, "rel=\"modulepreload\" href=\"page/", "\"");
        assert_eq!(ahead.collect::<BTreeSet<_>>(), needed);
    }

    #[test]
    fn the_page_is_there_and_nothing_else_is() {
        for name in ["index.html", "watch.js", "watch.css", REPORT_STYLE] {
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
}
