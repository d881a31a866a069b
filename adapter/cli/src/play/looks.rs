//! Words about how the board is seen.

use kit::View;
use protocol::text::excerpt;
use referee::record::wrap;
use referee::session::typing::moves_at;

use super::console::{Console, Done, To};
use super::port::Who;
use super::show;

/// The style without a name.
const PLAIN: &str = "plain";

/// The style that shows covered pieces.
const PEEK: &str = "peek";

impl Console {
    pub(super) fn list_moves(&mut self, who: Who, rest: &str) -> Done {
        let board = self.session.board();
        let codes = if rest.is_empty() {
            board.moves()
        } else {
            moves_at(board, rest)
        };
        let text = match (codes.len(), rest) {
            (0, "") => "no moves: the game is over".to_owned(),
            (0, _) => format!("no legal move at {}: moves alone lists all", excerpt(rest)),
            (1, _) => format!("1 move: {}", codes[0]),
            (n, _) => format!("{n} moves:\n{}", wrap(&codes, show::WIDTH)),
        };
        self.say(To::One(who), &text)
    }

    pub(super) fn flip(&mut self, who: Who) -> Done {
        let look = self.look(who);
        look.is_flipped = !look.is_flipped;
        self.show_board(who)
    }

    pub(super) fn board(&mut self, who: Who, rest: &str) -> Done {
        let styles = self.session.board().styles();
        let style = rest.to_ascii_lowercase();
        if !style.is_empty() && style != PLAIN && !styles.contains(&style.as_str()) {
            let known = [&[PLAIN], styles].concat().join(", ");
            let why = format!("board: {:?}: expected one of {known}", excerpt(rest));
            return self.say(To::One(who), &why);
        }
        if style == PLAIN {
            self.look(who).style.clear();
        } else if !style.is_empty() {
            self.look(who).style = style;
        }
        self.show_board(who)
    }

    pub(super) fn peek(&mut self, who: Who, rest: &str) -> Done {
        let game = &self.session.plan().game.name;
        if !self.session.board().styles().contains(&PEEK) {
            return self.say(To::One(who), &format!("peek: {game} has no covered pieces"));
        }
        let style = match rest.to_ascii_lowercase().as_str() {
            "on" => PEEK,
            "off" => "",
            _ => {
                return self.say(
                    To::One(who),
                    &format!("peek: {:?}: expected on or off", excerpt(rest)),
                );
            }
        };
        style.clone_into(&mut self.look(who).style);
        self.show_board(who)
    }

    /// Turns the marks of moves off and on again.
    pub(super) fn mark(&mut self, who: Who, rest: &str) -> Done {
        if !self.shows_marks(who) {
            let game = &self.session.plan().game.name;
            return self.say(
                To::One(who),
                &format!("mark: {game} marks no moves on its board"),
            );
        }
        let board = self.session.board();
        let words = rest
            .split_whitespace()
            .flat_map(|word| board.split_codes(word));
        let codes: Result<Vec<String>, _> = words
            .map(|word| board.read(word).map_err(|why| format!("mark: {why}")))
            .collect();
        let codes = match codes {
            Ok(codes) => codes,
            Err(why) => return self.say(To::One(who), &why),
        };
        let ruled_out = &mut self.look(who).ruled_out;
        if codes.is_empty() {
            ruled_out.clear();
        }
        for code in codes {
            match ruled_out.iter().position(|known| *known == code) {
                Some(at) => drop(ruled_out.remove(at)),
                None => ruled_out.push(code),
            }
        }
        self.show_board(who)
    }

    /// Whether the board looks another without the marks of its moves.
    pub(super) fn shows_marks(&mut self, who: Who) -> bool {
        let look = self.look(who).clone();
        let board = self.session.board();
        let draw = |ruled_out: &[String]| {
            board.draw(View {
                ruled_out,
                is_ascii: look.is_ascii,
                ..View::default()
            })
        };
        draw(&[]) != draw(&board.moves())
    }
}
