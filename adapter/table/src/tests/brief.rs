//! Events of a table as short texts, as dialogues expect them.

use crate::model::{Proposed, StudyKind, TableEvent, Turn};

/// A short text for an event.
pub(super) fn brief(event: &TableEvent) -> String {
    match event {
        TableEvent::MovePlayed { code, placed, .. } => format!("{} plays {code}", placed.side),
        TableEvent::GameOver { record } => format!("over: {} {{{}}}", record.result, record.reason),
        TableEvent::GameStarted(_) => "a new game".to_owned(),
        TableEvent::Lagged { dropped, .. } => format!("lagged {dropped}"),
        TableEvent::Note { .. } => format!("{event:?}"),
        TableEvent::Welcome { role, .. } => format!("welcome {role:?}"),
        TableEvent::Snapshot(_) => "snapshot".to_owned(),
        TableEvent::TableView(view) => format!("view: {}", view.note),
        TableEvent::Done { .. } => "done".to_owned(),
        TableEvent::Refused { why, .. } => format!("refused: {why}"),
        TableEvent::Joined(who) => format!("{} joined", who.name),
        TableEvent::Left { who, why } => format!("{} left: {why}", who.name),
        TableEvent::Said { who, text } => format!("{}: {text}", who.name),
        TableEvent::Turn { turn, .. } => match turn {
            Turn::Person(side) => format!("turn of {side}"),
            Turn::Engine(side) => format!("{side} thinks"),
            Turn::Held(side) => format!("{side} is held"),
            Turn::Waiting(side) => format!("{side} waits"),
            Turn::Starting => "starting".to_owned(),
            Turn::Over => "no turn".to_owned(),
        },
        TableEvent::WentTo { node } => format!("went to {}", node.0),
        TableEvent::LineAdded { from, nodes, .. } => {
            let nodes: Vec<usize> = nodes.iter().map(|node| node.0).collect();
            format!("{nodes:?} after {}", from.0)
        }
        TableEvent::SeatChanged { side, seat } => {
            format!("{side}: {:?} {:?}", seat.by, seat.sitter)
        }
        TableEvent::LevelChanged {
            level,
            is_adaptive: true,
        } => format!("adaptive level {level}"),
        TableEvent::LevelChanged { level, .. } => format!("level {level}"),
        TableEvent::PaceChanged { seconds } => format!("pace {seconds}"),
        TableEvent::LedgerBegun { .. } => "ledger begun".to_owned(),
        TableEvent::Proposed(proposal) => {
            let what = match proposal.what {
                Proposed::Draw => "a draw".to_owned(),
                Proposed::GoTo { ply, .. } => format!("move {ply}"),
                Proposed::NewGame => "another game".to_owned(),
                Proposed::Hints => "hints".to_owned(),
                Proposed::Rematch => "a rematch".to_owned(),
            };
            format!("{} proposes {what}", proposal.name)
        }
        TableEvent::ProposalEnded { end } => format!("{end:?}").to_lowercase(),
        TableEvent::AskedEngine { who, what } => format!("{} asked for {what:?}", who.name),
        TableEvent::EngineLine { side, .. } => format!("{side} reports"),
        TableEvent::Clocks { clocks } => {
            let left = clocks.map(|clock| clock.left.unwrap_or(-1.0));
            format!("clocks {} {}", left[0], left[1])
        }
        TableEvent::AnalysisLine { .. } => "analysis line".to_owned(),
        TableEvent::Analysis { what, analysis, .. } => {
            let code = analysis.code.as_deref().unwrap_or("-");
            format!("{what:?}: {code}")
        }
        TableEvent::AnalysisStarted(study) => match study.what {
            StudyKind::Analysis => format!("{} begins an analysis", study.name),
            StudyKind::Review => format!("{} begins a review", study.name),
        },
        TableEvent::Analysed(analysed) => {
            let lines = analysed.found.lines.iter();
            let lines: Vec<String> = lines.map(|line| line.line.join(" ")).collect();
            format!("node {}: {}", analysed.node.0, lines.join(", "))
        }
        TableEvent::Reviewed { done, total, ply } => {
            format!("{done} of {total}: {} costs {}", ply.ply.code, ply.ply.loss)
        }
        TableEvent::AnalysisEnded { what, end } => format!("{what} ended: {end}"),
        TableEvent::Saved { .. } => "saved".to_owned(),
        TableEvent::Fault { engine, text } => format!("fault: {engine} {text}"),
        TableEvent::Removed { why, may_return } => format!("removed: {why} {may_return}"),
        TableEvent::Closed { why, is_error } => format!("closed: {why} {is_error}"),
    }
}
