//! The panel next to the painted board: the players with their clocks, the moves, and the analysis.

use kit::Side;
use ratatui_core::text::Line;
use table::{NodeId, StudyKind, is_unnamed};
use unicode_truncate::{Alignment, UnicodeTruncateStr};
use unicode_width::UnicodeWidthStr;

use super::Client;
use crate::play::text;

/// Blank columns between the board and the panel.
const GAP: usize = 3;
/// Columns of the panel. A narrower space gets the last moves below the board instead.
const MIN_WIDTH: usize = 20;
const MAX_WIDTH: usize = 40;
/// Rows below the board for messages.
const N_MESSAGES: usize = 8;
/// Maximum number of rows of the analysis.
const N_ANALYSIS: usize = 4;

impl Client<'_> {
    /// The panel to the right of the board or, if there is no room, the last moves below it: its first row, its column, and
    /// its lines. The screen has `n_rows` above the prompt.
    pub(super) fn panel(
        &self,
        board: &[Line<'_>],
        n_columns: usize,
        n_rows: usize,
    ) -> (usize, usize, Vec<String>) {
        let n_board = board.len();
        let column = board.iter().map(Line::width).max().unwrap_or(0) + GAP;
        let width = n_columns.saturating_sub(column + 1).min(MAX_WIDTH);
        if width < MIN_WIDTH {
            let mut lines = self.strip(n_columns);
            lines.truncate((n_rows - n_board).saturating_sub(2));
            return (n_board, 0, lines);
        }
        let n_lines = n_board.max(n_rows.saturating_sub(N_MESSAGES));
        (0, column, self.panel_lines(width, n_lines))
    }

    fn panel_lines(&self, width: usize, n_lines: usize) -> Vec<String> {
        let mut lines: Vec<String> = Side::BOTH.map(|side| self.player_line(side, width)).into();
        lines.push(String::new());
        let mut analysis = self.analysis_lines(width);
        if !analysis.is_empty() {
            analysis.insert(0, String::new());
        }
        let n_moves = n_lines.saturating_sub(lines.len() + analysis.len());
        let (moves, here) = self.shown_moves();
        let cell = moves.iter().map(|text| text.width()).max().unwrap_or(0) + 2;
        let per_line = if 2 * cell <= width { 2 } else { 1 };
        let in_cells = |moves: &[String]| {
            moves
                .iter()
                .map(|text| padded(text, cell))
                .collect::<String>()
        };
        let rows: Vec<String> = moves.chunks(per_line).map(in_cells).collect();
        // After steps back, the current move is in the middle.
        let last = here.map_or(0, |here| here / per_line) + 1 + n_moves / 2;
        let end = last.max(n_moves).min(rows.len());
        lines.extend_from_slice(&rows[end.saturating_sub(n_moves)..end]);
        lines.extend(analysis);
        lines.truncate(n_lines);
        let lines = lines.iter().map(|line| line.unicode_truncate(width).0);
        lines.map(str::to_owned).collect()
    }

    /// The last moves in one line, and the analysis.
    fn strip(&self, width: usize) -> Vec<String> {
        let mut line = String::new();
        for text in self.shown_moves().0.iter().rev() {
            if line.width() + text.width() + 2 > width {
                break;
            }
            line = format!("{text} {line}");
        }
        let line = Some(line).filter(|line| !line.is_empty());
        line.into_iter().chain(self.analysis_lines(width)).collect()
    }

    /// A player with the clock; `>` marks the side to move.
    fn player_line(&self, side: Side, width: usize) -> String {
        let game = &self.game;
        let is_next = game.turn().side() == Some(side);
        let mark = if is_next { '>' } else { ' ' };
        let name = Some(game.player_name(side)).filter(|name| !is_unnamed(name));
        let clock = game.time_left(side).map_or_else(String::new, text::time);
        let (side, name) = (game.side_name(side), name.unwrap_or_default());
        let player = format!("{mark}{side} {name}");
        let room = width.saturating_sub(clock.len() + 1);
        format!("{} {clock}", padded(&player, room))
    }

    /// The numbered moves up to a node, those of the opening included.
    pub(super) fn numbered_moves(&self, last: NodeId) -> Vec<String> {
        let tree = self.game.tree();
        let opening = &self.game.snapshot().opening.moves;
        let first = self.game.n_moves() + 1 - opening.len() - tree.line().count();
        let played = tree.path(last).into_iter();
        let played = played.filter_map(|node| Some(&tree.ply(node)?.code));
        let numbered = (first..).zip(opening.iter().chain(played));
        numbered
            .map(|(number, code)| format!("{number}. {code}"))
            .collect()
    }

    /// The numbered moves of the current line, with those that were stepped back, and the index of the current one. `>`
    /// marks it if moves follow it.
    fn shown_moves(&self) -> (Vec<String>, Option<usize>) {
        let tree = self.game.tree();
        let n_here = self.numbered_moves(self.game.here()).len();
        let here = (tree.line().count() > 0).then(|| n_here - 1);
        let marked = here.filter(|_| tree.is_behind());
        let moves = self.numbered_moves(tree.forward(usize::MAX));
        let mark = |index| if Some(index) == marked { '>' } else { ' ' };
        let moves = moves.iter().enumerate();
        (
            moves
                .map(|(index, text)| format!("{}{text}", mark(index)))
                .collect(),
            here,
        )
    }

    /// The best lines of the current position, if it is or was analysed.
    fn analysis_lines(&self, width: usize) -> Vec<String> {
        let found = text::analysis(&self.game, Some(self.game.here()));
        let text = match (found, self.has_live_analysis()) {
            (Some(text), true) => text,
            (Some(text), false) => format!("stopped {text}"),
            (None, true) => "analysis".to_owned(),
            (None, false) => return Vec::new(),
        };
        let cut = |line: &str| line.unicode_truncate(width).0.to_owned();
        text.lines().take(N_ANALYSIS).map(cut).collect()
    }

    /// `true` during an analysis of this person that follows the game.
    pub(super) fn has_live_analysis(&self) -> bool {
        let study = self.talk.study.as_ref();
        study.is_some_and(|study| study.what == StudyKind::Analysis && study.node.is_none())
    }
}

/// The beginning of a text that fits into `width` columns, filled up with blanks.
fn padded(text: &str, n_columns: usize) -> String {
    text.unicode_pad(n_columns, Alignment::Left, true)
        .into_owned()
}
