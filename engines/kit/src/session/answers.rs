//! Answers about the engine and the position: the handshake, `query`, `d` and `go perft`.

use std::time::Instant;

use protocol::text::excerpt;
use protocol::{Dialect, OptionDecl, Query, Reply};

use super::Session;
use crate::dyn_history::expected_reply;
use crate::options::or_list;
use crate::search::Control;
use crate::{Rejection, perft};
use draw::{View, svg};

/// The style of `d` that returns an SVG picture.
const SVG: &str = "svg";

impl Session {
    pub(super) fn handshake(&mut self, dialect: Dialect) -> Vec<Reply> {
        self.dialect = dialect;
        let game = self.entry.name;
        let (what, author) = match self.entry.source.engine() {
            Some((author, _)) => (env!("CARGO_PKG_VERSION"), author),
            None => ("(tree search)", "the Linesman authors"),
        };
        let board = self.entry.source.options();
        let is_offered = |option: &&OptionDecl| {
            self.has_engine() || board.iter().any(|own| own.name == option.name)
        };
        let options = self.options.declared().filter(is_offered);
        let name = Reply::IdName(format!("Linesman {game} {what}"));
        let mut replies = vec![name, Reply::IdAuthor(author.to_owned())];
        replies.extend(options.cloned().map(Reply::Option));
        replies.push(Reply::HandshakeOk(dialect));
        replies
    }

    /// The text after `response`.
    pub(super) fn answer(&self, query: Query) -> Result<String, Rejection> {
        Ok(match query {
            Query::Game => format!("{} {}", self.entry.name, self.history.shape())
                .trim_end()
                .to_owned(),
            Query::About => self.entry.about().json(self.history.side_names()),
            _ => expected_reply(self.history.as_ref(), query).unwrap_or_default(),
        })
    }

    /// The lines of the board, followed by the position string.
    pub(super) fn draw(&self, style: Option<&str>) -> Result<Vec<Reply>, Rejection> {
        let style = style.map_or(Ok(""), |name| self.find_style(name))?;
        let board = match style {
            SVG => svg::write(&self.history.diagram(View::default())),
            _ => self.history.draw(View::styled(style)),
        };
        let fen = format!("fen: {}", self.history.fen());
        let lines = board.lines().chain([fen.as_str()]);
        Ok(lines.map(|line| Reply::Text(line.to_owned())).collect())
    }

    pub(super) fn perft(&mut self, depth: u32, arrival: Instant) -> Result<(), Rejection> {
        let most = perft::MAX_DEPTH;
        if depth > most {
            return Err(format!(
                "perft {depth}: no tree that deep can be counted: ask for {most} plies at most"
            )
            .into());
        }
        let control = Control::new(arrival, false, false);
        self.start(control, move |history, control, send| {
            let mut each = |mv, nodes| send(Reply::Divide { mv, nodes });
            let total = history.divide(depth, &|| control.is_stopped(), &mut each);
            let stopped = || Reply::string("perft stopped".to_owned());
            vec![total.map_or_else(stopped, Reply::PerftTotal)]
        });
        Ok(())
    }

    /// Finds a style by name, in any letter case: one of the game's, or the SVG picture of every game.
    fn find_style(&self, name: &str) -> Result<&'static str, Rejection> {
        let styles = [self.history.styles(), &[SVG]].concat();
        let found = styles.iter().find(|style| style.eq_ignore_ascii_case(name));
        found.copied().ok_or_else(|| {
            let expected = or_list(&styles);
            let name = excerpt(name);
            Rejection(format!("d: unknown style \"{name}\": expected {expected}"))
        })
    }
}
