//! The panel next to the board of the input by keys: the players with their clocks, the moves, and the analysis.

use draw::{Glyph, anstyle::Style};
use kit::Side;
use table::StudyKind;
use table::is_unnamed;

use super::Client;
use crate::play::columns::{columns, padded, row_columns, split_at_column};
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
    /// The rows of the board with the panel on the right or, if there is no room, with the last moves below.
    pub(super) fn with_panel(
        &self,
        mut rows: Vec<Vec<Glyph>>,
        n_columns: usize,
        n_rows: usize,
    ) -> Vec<Vec<Glyph>> {
        rows.truncate(n_rows);
        let widest = rows.iter().map(|row| row_columns(row)).max();
        let left = widest.unwrap_or(0) + GAP;
        let width = n_columns.saturating_sub(left + 1).min(MAX_WIDTH);
        if width < MIN_WIDTH {
            let n_free = (n_rows - rows.len()).saturating_sub(2);
            rows.extend(
                self.strip(n_columns)
                    .iter()
                    .take(n_free)
                    .map(|line| glyphs(line)),
            );
            return rows;
        }
        let n_panel = rows.len().max(n_rows.saturating_sub(N_MESSAGES));
        let panel = self.panel(width, n_panel);
        rows.resize(rows.len().max(panel.len()), Vec::new());
        for (row, line) in rows.iter_mut().zip(&panel) {
            let n_blank = left.saturating_sub(row_columns(row));
            row.extend(glyphs(&" ".repeat(n_blank)));
            row.extend(glyphs(line));
        }
        rows
    }

    /// The lines of the panel.
    fn panel(&self, width: usize, n_lines: usize) -> Vec<String> {
        let mut lines: Vec<String> = Side::BOTH.map(|side| self.player_line(side, width)).into();
        lines.push(String::new());
        let analysis = self.analysis_lines(width);
        let n_below = if analysis.is_empty() {
            0
        } else {
            analysis.len() + 1
        };
        let n_moves = n_lines.saturating_sub(lines.len() + n_below);
        let moves = self.numbered_moves();
        let cell = moves
            .iter()
            .map(|(text, _)| columns(text))
            .max()
            .unwrap_or(0)
            + 2;
        let per_line = if 2 * cell <= width { 2 } else { 1 };
        let here = moves.iter().rposition(|(_, is_here)| *is_here);
        let in_cells = |moves: &[(String, bool)]| -> String {
            moves.iter().map(|(text, _)| padded(text, cell)).collect()
        };
        let rows: Vec<String> = moves.chunks(per_line).map(in_cells).collect();
        // After steps back, the current move is in the middle.
        let last = here.map_or(0, |here| here / per_line) + 1 + n_moves / 2;
        let end = last.max(n_moves).min(rows.len());
        lines.extend_from_slice(&rows[end.saturating_sub(n_moves)..end]);
        if !analysis.is_empty() {
            lines.push(String::new());
            lines.extend(analysis);
        }
        lines.truncate(n_lines);
        let cut = |line: String| split_at_column(&line, width).0.to_owned();
        lines.into_iter().map(cut).collect()
    }

    /// The last moves in one line, and the analysis.
    fn strip(&self, width: usize) -> Vec<String> {
        let mut line = String::new();
        for (text, _) in self.numbered_moves().iter().rev() {
            if columns(&line) + columns(text) + 2 > width {
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
        let mark = if game.turn().side() == Some(side) {
            '>'
        } else {
            ' '
        };
        let name = Some(game.player_name(side)).filter(|name| !is_unnamed(name));
        let clock = game.time_left(side).map_or_else(String::new, text::time);
        let player = format!(
            "{mark}{} {}",
            game.side_name(side),
            name.unwrap_or_default()
        );
        let room = width.saturating_sub(clock.len() + 1);
        format!("{} {clock}", padded(&player, room))
    }

    /// The numbered moves of the current line, with those that were stepped back. `>` and `true` mark the current one if
    /// moves follow it.
    fn numbered_moves(&self) -> Vec<(String, bool)> {
        let (tree, here) = (self.game.tree(), self.game.here());
        let is_behind = tree.is_behind();
        let nodes = tree.path(tree.forward(usize::MAX));
        let opening = &self.game.snapshot().opening.moves;
        let first = self.game.n_moves() + 1 - opening.len() - tree.line().count();
        let opening = opening.iter().map(|code| (code.as_str(), false));
        let played = nodes.iter().filter_map(|node| {
            let ply = tree.ply(*node)?;
            Some((ply.code.as_str(), *node == here))
        });
        let numbered = (first..).zip(opening.chain(played));
        let numbered = numbered.map(|(number, (code, is_here))| {
            let mark = if is_here && is_behind { '>' } else { ' ' };
            (format!("{mark}{number}. {code}"), is_here)
        });
        numbered.collect()
    }

    /// The best lines of the current position, if it is or was analysed.
    fn analysis_lines(&self, width: usize) -> Vec<String> {
        let found = text::analysis(&self.game, Some(self.game.here()));
        let text = match found {
            Some(text) if self.has_live_analysis() => text,
            Some(text) => format!("stopped {text}"),
            None if self.has_live_analysis() => "analysis".to_owned(),
            None => return Vec::new(),
        };
        let cut = |line: &str| split_at_column(line, width).0.to_owned();
        text.lines().take(N_ANALYSIS).map(cut).collect()
    }

    /// `true` during an analysis of this person that follows the game.
    pub(super) fn has_live_analysis(&self) -> bool {
        let study = self.talk.study.as_ref();
        study.is_some_and(|study| study.what == StudyKind::Analysis && study.node.is_none())
    }
}

fn glyphs(line: &str) -> Vec<Glyph> {
    line.chars().map(|letter| (letter, Style::new())).collect()
}
