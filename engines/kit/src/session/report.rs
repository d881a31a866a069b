//! The `info` lines of a search.

use protocol::{Dialect, Info, Reply};

use crate::search::score::DRAW;
use crate::search::{Bound, Line, Progress, mate_distance};
use crate::{Engine, PositionHistory};

/// The `info` lines of one report: one for each note, one for each line of play.
pub(super) fn report<G: Engine>(
    history: &PositionHistory<G>,
    dialect: Dialect,
    progress: &Progress<G::Move>,
) -> impl Iterator<Item = Reply> {
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
        bound: bound(line),
        pv: history.codes(&line.pv),
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
fn counters<M>(progress: &Progress<M>) -> Info {
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
fn score<M>(progress: &Progress<M>, line: &Line<M>, dialect: Dialect) -> protocol::Score {
    match (mate_distance(line.score), dialect) {
        (None, _) if progress.is_from_table() && line.score == DRAW => protocol::Score::Draw,
        (None, _) => protocol::Score::Cp(line.score),
        (Some(plies), Dialect::Ugi) => protocol::Score::Mate(plies),
        (Some(plies), Dialect::Uci | Dialect::Uai) => {
            protocol::Score::Mate((plies + plies.signum()) / 2)
        }
    }
}

fn bound<M>(line: &Line<M>) -> Option<protocol::Bound> {
    match line.bound {
        Bound::Exact => None,
        Bound::Lower => Some(protocol::Bound::Lower),
        Bound::Upper => Some(protocol::Bound::Upper),
    }
}
