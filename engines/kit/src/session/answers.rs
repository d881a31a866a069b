//! Commands answered at once: the handshake, `query` and `d`.

use protocol::text::excerpt;
use protocol::{Dialect, Query, Reply};

use super::Session;
use crate::diagram::svg::{self, Theme};
use crate::dyn_history::right_answer;
use crate::options::or_list;
use crate::{DynHistory, Engine, Rejection, View};

/// The style of `d` that returns an SVG picture.
const SVG: &str = "svg";

impl<G: Engine> Session<G> {
    pub(super) fn handshake(&mut self, dialect: Dialect) -> Vec<Reply> {
        self.dialect = dialect;
        let name = format!("Linesman {} {}", G::NAME, env!("CARGO_PKG_VERSION"));
        let mut replies = vec![Reply::IdName(name), Reply::IdAuthor(G::AUTHOR.to_owned())];
        replies.extend(self.options.declared().cloned().map(Reply::Option));
        replies.push(Reply::HandshakeOk(dialect));
        replies
    }

    /// The text after `response`.
    pub(super) fn answer(&self, query: Query) -> Result<String, Rejection> {
        Ok(match query {
            Query::Game => format!("{} {}", G::NAME, self.history.shape())
                .trim_end()
                .to_owned(),
            Query::About => {
                let about = self
                    .about
                    .ok_or("query about: this game has no introduction")?;
                about.json(DynHistory::side_names(&self.history))
            }
            _ => right_answer(&self.history, query).unwrap_or_default(),
        })
    }

    /// The lines of the board, followed by the position string.
    pub(super) fn draw(&self, style: Option<&str>) -> Result<Vec<Reply>, Rejection> {
        let style = style.map_or(Ok(""), find_style::<G>)?;
        let board = match style {
            SVG => svg::write(&self.history.diagram(View::default()), Theme::Auto),
            _ => self.history.draw(View::styled(style)),
        };
        let fen = format!("fen: {}", self.history.fen());
        let lines = board.lines().chain([fen.as_str()]);
        Ok(lines.map(|line| Reply::Text(line.to_owned())).collect())
    }
}

/// Finds a style by name, in any letter case: one of the game's, or the SVG picture of every game.
fn find_style<G: Engine>(name: &str) -> Result<&'static str, Rejection> {
    let styles = [G::STYLES, &[SVG]].concat();
    let found = styles.iter().find(|style| style.eq_ignore_ascii_case(name));
    found.copied().ok_or_else(|| {
        let expected = or_list(&styles);
        let name = excerpt(name);
        Rejection(format!("d: unknown style \"{name}\": expected {expected}"))
    })
}
