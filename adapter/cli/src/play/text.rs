//! Messages of the console as text. This module writes nothing.

use std::fmt::Write;
use std::time::Duration;

use itertools::Itertools;
use kit::fen::counted;
use kit::search::{Level, MAX_LEVEL};
use kit::{DynHistory, Side};
use record::game::{GameResult, Points};
use record::pgn::format_thought;
use referee::analysis::LineBound;
use table::{
    AnalysedNode, Analysis, ClientGame, ClientInfo, CommandId, Mover, NodeId, Proposal, Question,
    Role, RunningStudy, SeatInfo, SideSet, Sitter, StudyKind, Voice, is_unnamed,
};

use crate::analysis::move_review::{self, LINE, Told};
use crate::engines::words::quote;
use crate::output::printable;
use crate::play::style::fill;

/// The players and, for the host, the ledger; then how to continue, on the screen of keys or at a prompt.
pub(crate) fn header(game: &ClientGame, has_keys: bool) -> String {
    let snapshot = game.snapshot();
    let [p1, p2] = Side::BOTH.map(|side| {
        let name = game.player_name(side);
        let name = if is_unnamed(name) { "human" } else { name };
        format!("{name} ({})", game.side_name(side))
    });
    let mut lines = vec![format!("{}: {p1} vs {p2}", snapshot.game)];
    let ledger = snapshot.ledger.as_ref();
    lines.extend(ledger.map(|ledger| format!("ledger: {}", ledger.display())));
    lines.extend(snapshot.level.map(|_| level(game)));
    lines.push(example(game, usize::MAX));
    let how = match has_keys {
        true => "? explains the keys; rules and Enter show the rules of the game.",
        false => "? lists the commands, rules explains the game.",
    };
    lines.push(how.to_owned());
    lines.join("\n")
}

/// An example of a typed move in this game.
pub(crate) fn example(game: &ClientGame, width: usize) -> String {
    let example = game.rules().entry().about().example.replace('`', "");
    fill(&format!("A move is typed as its code: {example}."), width)
}

/// The command that resumes an unfinished game; `None` if it is over or has no ledger.
pub(crate) fn to_go_on(game: &ClientGame) -> Option<String> {
    let snapshot = game.snapshot();
    let ledger = snapshot.ledger.as_ref().filter(|_| !game.is_over())?;
    let [game, ledger] = [snapshot.game.name.clone(), ledger.display().to_string()].map(quote);
    Some(format!(
        "the game is saved; to resume: linesman play {game} --continue {ledger}"
    ))
}

/// The last move with its player and comment.
pub(crate) fn last_move(game: &ClientGame) -> String {
    let Some(ply) = game.tree().ply(game.here()) else {
        return String::new();
    };
    let record = ply.record.as_ref();
    let by = record.and_then(|record| record.by.as_deref());
    let name = by.unwrap_or(game.player_name(ply.side));
    // A move such as Projex's `swap` changes the names of the sides.
    let mut before = game.board().fork();
    before.undo();
    let (number, mover) = (game.n_moves(), &before.side_names()[ply.side.index()]);
    let mut text = match is_unnamed(name) {
        true => format!("{number}. {mover}: {}", ply.code),
        false => format!("{number}. {mover} ({name}): {}", ply.code),
    };
    if let Some(record) = record {
        let _ = write!(text, "  {{{}}}", format_thought(record));
    }
    if let Some(why) = forced(before.as_ref()) {
        let _ = write!(text, "\n{why}");
    }
    text
}

/// The reason that the player to move has no choice, if the game has one.
pub(crate) fn forced(board: &dyn DynHistory) -> Option<String> {
    board.explain().filter(|_| board.outcome().is_none())
}

/// The end of the game: in the game's words if its rules ended it, else with the recorded reason.
pub(crate) fn ending(game: &ClientGame, result: GameResult, reason: &str) -> String {
    let board = game.board();
    if let Some(explained) = board.outcome().and_then(|_| board.explain()) {
        let named = Side::BOTH.into_iter().find_map(|side| {
            let rest = explained.strip_prefix(&game.side_name(side))?;
            let is_named = is_numbered(game, side) && rest.starts_with(' ');
            is_named.then(|| game.player_and_side(side) + rest)
        });
        let explained = named.unwrap_or(explained);
        return format!("Game over: {explained}, {result}");
    }
    let what = match result {
        GameResult::P1Win => format!("{} wins", game.player_and_side(Side::P1)),
        GameResult::P2Win => format!("{} wins", game.player_and_side(Side::P2)),
        GameResult::Draw => "a draw".to_owned(),
        GameResult::Unknown => "no result".to_owned(),
    };
    format!("Game over: {what}, {result} {{{reason}}}")
}

/// The result below the board, if the game did not end by its rules.
pub(crate) fn ending_below(game: &ClientGame) -> Option<String> {
    let ending = game.snapshot().ending.as_ref()?;
    let reason = printable(&ending.reason);
    ending.result.caption(&game.board().side_names(), &reason)
}

/// The commands after the end for a person who plays against an engine or at one screen with another.
pub(crate) fn after_the_end(game: &ClientGame, result: GameResult) -> String {
    let snapshot = game.snapshot();
    let is_engines = |side: &Side| !game.plays(*side);
    let has_levels = !snapshot.is_adaptive && game.rules().ladder().is_some();
    let opponent = Side::BOTH.into_iter().find(is_engines);
    let hint = opponent.filter(|_| has_levels).and_then(|side| {
        let is_lost = result == GameResult::win(side);
        let is_won = result == GameResult::win(side.other());
        match snapshot.level.unwrap_or(MAX_LEVEL) {
            MAX_LEVEL if is_lost => Some("  level adaptive: even games".to_owned()),
            level @ 1.. if is_lost => Some(format!("  level {}: easier", level - 1)),
            level @ ..MAX_LEVEL if is_won => Some(format!("  level {}: harder", level + 1)),
            _ => None,
        }
    });
    let hint = hint.unwrap_or_default();
    format!("new: again{hint}  review: the mistakes")
}

/// The position after moves were taken back or played again.
pub(crate) fn position(game: &ClientGame) -> String {
    let tried = tried(&game.tree().branches());
    format!("after {}{tried}", counted(game.n_moves(), "move"))
}

/// The moves that were played from a position before.
fn tried(branches: &[&str]) -> String {
    match branches {
        [] => String::new(),
        [one] => format!("; {one} was played from here"),
        several => format!("; {} were played from here", several.join(", ")),
    }
}

/// The moves that were taken back or played again since another node was the current one.
pub(crate) fn went(game: &ClientGame, old: NodeId) -> String {
    let (tree, here) = (game.tree(), game.here());
    let [before, after] = [old, here].map(|node| tree.path(node));
    let (longer, done) = match (before.starts_with(&after), after.starts_with(&before)) {
        (true, false) => (&before, "taken back"),
        (false, true) => (&after, "played again"),
        _ => return position(game),
    };
    let n_common = before.len().min(after.len());
    let first = game.n_moves() + 1 - after.len() + n_common;
    let moves = (first..).zip(longer[n_common..].iter().filter_map(|node| tree.ply(*node)));
    let moves: Vec<String> = moves
        .map(|(number, ply)| format!("{number}. {}", ply.code))
        .collect();
    let what = match moves.as_slice() {
        [one] => format!("{one} was {done}"),
        [rest @ .., last] if rest.len() < 3 => {
            format!("{} and {last} were {done}", rest.join(", "))
        }
        [first, .., last] => format!("{first} to {last} were {done}"),
        [] => return position(game),
    };
    let branches = tree.branches();
    let tried = if branches.len() > 1 {
        tried(&branches)
    } else {
        String::new()
    };
    format!("{what}; move {} is next{tried}", game.n_moves() + 1)
}

/// The kind of player of each side.
pub(crate) fn seats(game: &ClientGame) -> String {
    let seat = |side: Side| {
        let kind = |by| match by {
            Mover::Person => "a person",
            Mover::Engine => "an engine",
        };
        let by = |partner: &SeatInfo| format!("{} ({})", partner.name, kind(partner.by));
        let by = match game.partners(side) {
            [] => kind(game.snapshot().seats[side.index()].by).to_owned(),
            partners => partners.iter().map(by).join(" and "),
        };
        format!("{} is played by {by}", game.side_name(side))
    };
    Side::BOTH.map(seat).join(", ")
}

/// The engines' level.
pub(crate) fn level(game: &ClientGame) -> String {
    let snapshot = game.snapshot();
    let level = Level::new(snapshot.level.unwrap_or(MAX_LEVEL), game.rules().ladder());
    let follows = match snapshot.is_adaptive {
        true => ", which follows your results",
        false => "",
    };
    format!("engines play at {level}{follows}")
}

/// The pause of engines that play both sides.
pub(crate) fn pace(game: &ClientGame) -> String {
    match game.snapshot().pace {
        0.0 => "engines that play each other move without a pause".to_owned(),
        seconds => format!("engines that play each other pause {seconds} s before each move"),
    }
}

/// A client's name and role; a player has the name of the seat.
pub(crate) fn client(game: &ClientGame, who: &ClientInfo) -> String {
    let sides = match who.role {
        Role::Host => game.hosts_sides(),
        Role::Player(sides) => sides,
        Role::Spectator => return format!("{} (watching)", who.name),
    };
    let mut seats = sides.iter();
    match (seats.next(), seats.next()) {
        (Some(side), None) => game.named(game.name_of(who.client, side), side),
        (Some(_), Some(_)) => format!("{} ({})", who.name, side_names(game, sides)),
        (None, _) => who.name.clone(),
    }
}

/// The player of a side's next move, for a prompt: the side and, if partners take turns, the name.
pub(crate) fn mover(game: &ClientGame, side: Side) -> String {
    let (name, side_name) = (game.player_name(side), game.side_name(side));
    match &game.snapshot().player {
        Some(partner) => format!("{partner} ({side_name})"),
        None if is_numbered(game, side) && !is_unnamed(name) => name.to_owned(),
        None if game.snapshot().seats[side.index()].sitter != Sitter::Host => {
            game.player_and_side(side)
        }
        None => side_name,
    }
}

/// `true` if the game has no name for a side, so that it is p1 or p2.
fn is_numbered(game: &ClientGame, side: Side) -> bool {
    game.side_name(side) == side.to_string()
}

/// A guest's partners; `None` if the guest plays alone.
pub(crate) fn partners(game: &ClientGame) -> Option<String> {
    let mut sides = Side::BOTH.into_iter().map(|side| game.partners(side));
    let partners = sides.find(|side| side.iter().any(|partner| game.is_own(partner)))?;
    let (own, others): (Vec<_>, Vec<_>) = partners.iter().partition(|partner| game.is_own(partner));
    let [own, others] =
        [own, others].map(|some| some.iter().map(|partner| &partner.name).join(" and "));
    (!others.is_empty()).then(|| {
        format!(
            "you are {own} and take turns with {others}; partners may not chat while the game runs"
        )
    })
}

/// The names of sides: `red and yellow`.
pub(crate) fn side_names(game: &ClientGame, sides: SideSet) -> String {
    sides.iter().map(|side| game.side_name(side)).join(" and ")
}

/// A proposal, for everyone at the table.
pub(crate) fn proposal(proposal: &Proposal) -> String {
    let [accept, decline] =
        [CommandId::Accept, CommandId::Decline].map(|id| id.name(Voice::Console));
    let text = &proposal.text;
    format!("{text}: {accept} agrees, {decline} or a move declines")
}

/// An engine's answer to a question: the move that it would play with its line, or its score of the position.
pub(crate) fn answer(game: &ClientGame, what: Question, side: Side, analysis: &Analysis) -> String {
    let is_eval = what == Question::Eval;
    let score = match analysis.score {
        Some(Points::Draw) => Some("exact draw".to_owned()),
        Some(score) if is_eval => Some(format!("{score} for {}", game.side_name(side))),
        score => score.map(|score| format!("score {score}")),
    };
    // A table's draw has no depth.
    let is_exact = is_eval && analysis.score == Some(Points::Draw);
    let depth = analysis.depth.filter(|_| !is_exact);
    let depth = depth.map_or_else(String::new, |depth| format!(", depth {depth}"));
    if is_eval {
        return format!("eval: {}{depth}", score.as_deref().unwrap_or("no score"));
    }
    let score = score.map_or_else(String::new, |score| format!(", {score}"));
    let line = match analysis.line.len() {
        0 | 1 => String::new(),
        _ => format!(", line {}", analysis.line.join(" ")),
    };
    let code = analysis.code.as_deref().unwrap_or("no move");
    format!("hint: {code}{score}{depth}{line}")
}

/// The results of a running analysis or review so far.
pub(crate) fn progress(game: &ClientGame, study: &RunningStudy) -> Option<String> {
    let analysis = &game.snapshot().analysis;
    if study.what == StudyKind::Review {
        let n_done = analysis.review.len();
        return Some(format!(
            "reviewed {n_done} of {}",
            counted(study.total, "move")
        ));
    }
    let found = &analysed(game, study.node)?.found;
    let best = found.lines.first()?;
    let codes = best.line[..best.line.len().min(LINE)].join(" ");
    let depth = found.depth.map(|depth| format!("depth {depth}, "));
    let depth = depth.unwrap_or_default();
    Some(format!("so far: {depth}{}  {codes}", best.score))
}

/// The lines that an analysis has found at a node.
pub(crate) fn analysis(game: &ClientGame, node: Option<NodeId>) -> Option<String> {
    let found = analysed(game, node)?;
    let mut text = format!("analysis for {}", game.side_name(found.side));
    if let Some(depth) = found.found.depth {
        let _ = write!(text, ", depth {depth}");
    }
    for line in &found.found.lines {
        let bound = match line.bound {
            None => ' ',
            Some(LineBound::Lower) => '>',
            Some(LineBound::Upper) => '<',
        };
        let codes = line.line[..line.line.len().min(LINE)].join(" ");
        let _ = write!(text, "\n{bound}{:>7}  {codes}", line.score.to_string());
    }
    Some(text)
}

fn analysed(game: &ClientGame, node: Option<NodeId>) -> Option<&AnalysedNode> {
    let mut kept = game.snapshot().analysis.kept.iter();
    kept.find(|analysed| Some(analysed.node) == node)
}

/// The loss of each move, as far as the last review got.
pub(crate) fn review(game: &ClientGame, is_ascii: bool) -> Option<String> {
    let plies = &game.snapshot().analysis.review;
    let opening = &game.snapshot().opening;
    let mut board = game.rules().open(opening).ok()?;
    let first = opening.moves.len() + 1;
    let told: Vec<Told> = (first..)
        .zip(plies)
        .map(|(number, ply)| move_review::tell(board.as_mut(), number, ply.ply.clone()))
        .collect();
    (!told.is_empty()).then(|| move_review::summary(&told, is_ascii))
}

/// Both clocks.
pub(crate) fn clocks(game: &ClientGame) -> String {
    let clock = |side: Side| match game.time_left(side) {
        Some(left) => format!("{} {}", game.side_name(side), time(left)),
        None => format!("{} has no clock", game.side_name(side)),
    };
    Side::BOTH.map(clock).join(", ")
}

/// Minutes and seconds, with tenths below one minute.
pub(crate) fn time(left: Duration) -> String {
    let tenths = left.as_millis() / 100;
    let (minutes, tenths) = (tenths / 600, tenths % 600);
    if minutes == 0 {
        return format!("0:{:02}.{}", tenths / 10, tenths % 10);
    }
    format!("{minutes}:{:02}", tenths / 10)
}
