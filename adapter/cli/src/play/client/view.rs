//! Words that change the display of the board.

use protocol::text::excerpt;
use record::pgn::wrap;
use table::typing::moves_at;

use super::Client;
use crate::play::screen::Size;
use crate::play::style::Extent;

/// The style that shows covered pieces.
const PEEK: &str = "peek";

impl Client<'_> {
    pub(super) fn list_moves(&mut self, rest: &str) {
        let board = self.game.board();
        let codes = if rest.is_empty() {
            board.moves()
        } else {
            moves_at(board, rest)
        };
        let text = match (codes.as_slice(), rest) {
            ([], "") => "no moves: the game is over".to_owned(),
            ([], _) => format!("no legal move at {}: moves alone lists all", excerpt(rest)),
            ([code], _) => format!("1 move: {code}"),
            (codes, _) => format!("{} moves:\n{}", codes.len(), wrap(codes, self.width())),
        };
        self.say(&text);
    }

    /// Lists the moves of the game so far.
    pub(super) fn list_played(&mut self) {
        let moves = self.numbered_moves(self.game.here());
        match moves.as_slice() {
            [] => self.say("no moves yet"),
            moves => self.say(&wrap(moves, self.width())),
        }
    }

    pub(super) fn flip(&mut self) {
        self.style.is_flipped = !self.style.is_flipped;
        self.show_board();
    }

    pub(super) fn board(&mut self, rest: &str) {
        let styles = self.game.board().styles();
        let name = rest.to_ascii_lowercase();
        match (name.as_str(), Size::parse(&name)) {
            ("", _) => {}
            ("plain", _) => self.style.name.clear(),
            ("all", _) => self.style.extent = Extent::All,
            ("fit", _) => self.style.extent = Extent::Screen,
            (_, Some(size)) => self.style.extent = Extent::Given(size),
            (name, None) if styles.contains(&name) => name.clone_into(&mut self.style.name),
            _ => {
                let known = [&["plain"], styles, &["all", "fit"]].concat().join(", ");
                return self.refuse(&format!(
                    "board: {:?}: type one of {known}, or the size of a screen such as 80x24",
                    excerpt(rest)
                ));
            }
        }
        // Above the board, which fills the screen. The string would reveal covered pieces.
        if !styles.contains(&PEEK) || self.style.name == PEEK {
            self.say(&format!("fen: {}", self.game.board().fen()));
        }
        if self.keys.is_some() && self.style.extent == Extent::All {
            // The painted screen may have room for a part only.
            let page = self.style.page(self.game.board(), None, "", None);
            self.out.push_str(&format!("{}\n", page.text(false)));
        }
        self.show_board();
    }

    pub(super) fn peek(&mut self, rest: &str) {
        let game = &self.game.snapshot().game.name;
        if !self.game.board().styles().contains(&PEEK) {
            return self.refuse(&format!("peek: {game} has no covered pieces"));
        }
        let name = match rest.to_ascii_lowercase().as_str() {
            "on" => PEEK,
            "off" => "",
            _ => {
                return self.refuse(&format!(
                    "peek: {:?}: type peek on or peek off",
                    excerpt(rest)
                ));
            }
        };
        name.clone_into(&mut self.style.name);
        self.show_board();
    }

    /// Inverts the marks of the given moves, or sets or removes all marks.
    pub(super) fn mark(&mut self, rest: &str) {
        let board = self.game.board();
        if !self.style.has_marks(board) {
            let game = &self.game.snapshot().game.name;
            return self.refuse(&format!("mark: {game} marks no moves on its board"));
        }
        match rest.to_ascii_lowercase().as_str() {
            "" | "all" => {
                self.style.unmarked.clear();
                return self.show_board();
            }
            "none" => {
                self.style.unmarked = board.moves();
                return self.show_board();
            }
            _ => {}
        }
        let words = rest
            .split_whitespace()
            .flat_map(|word| board.split_codes(word));
        let codes: Result<Vec<String>, _> = words
            .map(|word| board.read(word).map_err(|why| format!("mark: {why}")))
            .collect();
        match codes {
            Ok(codes) => codes.into_iter().for_each(|code| self.toggle_mark(code)),
            Err(why) => return self.refuse(&why),
        }
        self.show_board();
    }

    pub(super) fn toggle_mark(&mut self, code: String) {
        let unmarked = &mut self.style.unmarked;
        match unmarked.iter().position(|known| *known == code) {
            Some(at) => drop(unmarked.remove(at)),
            None => unmarked.push(code),
        }
    }
}
