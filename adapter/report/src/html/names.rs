//! Names of engines in HTML.

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
