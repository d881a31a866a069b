//! The `info` lines of a search, and commands answered at once: the handshake, `query` and `d`.

use protocol::text::excerpt;
use protocol::{Dialect, Info, OptionDecl, Query, Reply};

use super::Session;
use crate::Rejection;
use crate::dyn_history::expected_reply;
use crate::options::or_list;
use crate::search::score::DRAW;
use crate::search::{Line, Progress, mate_distance};
use draw::{
    View,
    svg::{self, Theme},
};

/// The `info` lines of one report: one for each note, one for each line of play.
pub(super) fn infos(dialect: Dialect, progress: &Progress<String>) -> impl Iterator<Item = Reply> {
    let common = counters(progress);
    let has_ranks = progress.lines.len() > 1;
    // Before depth 1 is complete there is a move but no score.
    let lines = match progress.depth {
        0 => &[],
        _ => &progress.lines[..],
    };
    let ranked = lines.iter().zip(1..).map(|(line, rank)| Info {
        depth: Some(progress.depth),
        multipv: has_ranks.then_some(rank),
        score: Some(score(progress, line, dialect)),
        bound: line.bound,
        pv: line.pv.clone(),
        ..common.clone()
    });
    let mut infos: Vec<Info> = ranked.collect();
    if infos.is_empty() && progress.notes.is_empty() {
        infos.push(common);
    }
    let notes = progress.notes.iter().cloned().map(Reply::string);
    notes.chain(infos.into_iter().map(Reply::Info))
}

/// The fields that all lines of a report have in common.
fn counters(progress: &Progress<String>) -> Info {
    let millis = progress.time.as_millis().max(1) as u64;
    Info {
        seldepth: Some(progress.seldepth),
        time: Some(progress.time),
        nodes: Some(progress.nodes),
        nps: Some(progress.nodes.saturating_mul(1000) / millis),
        hashfull: Some(progress.hashfull),
        tb_hits: (progress.tb_hits > 0).then_some(progress.tb_hits),
        ..Info::default()
    }
}

/// The score in the dialect's form: UGI counts plies to the end, UCI moves of the side that wins or loses. A draw is
/// reported as such if it comes from a table.
fn score(progress: &Progress<String>, line: &Line<String>, dialect: Dialect) -> protocol::Score {
    match (mate_distance(line.score), dialect) {
        (None, _) if progress.is_from_table() && line.score == DRAW => protocol::Score::Draw,
        (None, _) => protocol::Score::Cp(line.score),
        (Some(plies), Dialect::Ugi) => protocol::Score::Mate(plies),
        (Some(plies), Dialect::Uci | Dialect::Uai) => {
            protocol::Score::Mate((plies + plies.signum()) / 2)
        }
    }
}

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
            SVG => svg::write(&self.history.diagram(View::default()), Theme::Auto),
            _ => self.history.draw(View::styled(style)),
        };
        let fen = format!("fen: {}", self.history.fen());
        let lines = board.lines().chain([fen.as_str()]);
        Ok(lines.map(|line| Reply::Text(line.to_owned())).collect())
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
