//! Names of engines and tables in HTML.

use maud::{Markup, html};

use protocol::text::one_line;

use crate::text::shortened;

/// A name in running text. `bdi` isolates its text direction from the surrounding text.
pub(super) fn name(name: &str) -> Markup {
    html! { bdi { (one_line(name)) } }
}

/// Like [`name`], cut to 24 characters.
pub(super) fn short_name(name: &str) -> Markup {
    html! { bdi title=(one_line(name)) { (shortened(name, 24)) } }
}

/// A table that scrolls in its own region; the caption may be empty.
pub(super) fn table(label: &str, caption: &str, heads: Markup, rows: Markup) -> Markup {
    html! {
        div.table tabindex="0" role="region" aria-label=(label) {
            table {
                @if !caption.is_empty() { caption { (caption) } }
                thead { tr { (heads) } }
                tbody { (rows) }
            }
        }
    }
}

/// Heads of columns of text.
pub(super) fn texts(names: &[&str]) -> Markup {
    html! { @for name in names { th scope="col" { (name) } } }
}

/// Heads of columns of numbers.
pub(super) fn numbers(names: &[&str]) -> Markup {
    html! { @for name in names { th.n scope="col" { (name) } } }
}
