//! Public information: boards, games, users.

use referee::date::moment;

use super::board::{Board, BoardState};
use super::game_text::{codes, drawn, game_text};
use super::work::Work;
use crate::email::wrap;
use crate::error::{Answer, misread, refuse};
use crate::game::Engines;
use crate::script::{self, Line, Words, is_number, word};

/// Maximum number of games in a list.
const MAX_LISTED: usize = 200;

/// Maximum number of boards that one command shows.
const MAX_SHOWN: usize = 10;

impl Work<'_> {
    /// `show BOARD[#N] ...`, `show USER`, `show USER next`
    pub(super) fn show(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        self.skip_token(&mut words)?;
        // The name of the game may come first, as in `show susan 12`.
        let games = self.games();
        let mut line = line.clone();
        if let Some(game) = words.peek().and_then(|word| script::game(word, &games)) {
            line.game = Some(game);
            words.next();
        }
        let Some(first) = words.peek() else {
            let board = self.named_board(&line, &mut words)?;
            return self.show_board(&board, None);
        };
        if !first.starts_with(|c: char| c.is_ascii_digit() || c == '#') {
            words.next();
            let is_next = words.next_if("next");
            words.end("show USER next")?;
            return self.show_user(first, is_next, line.game);
        }
        let mut wanted = Vec::new();
        for text in words.take(MAX_SHOWN) {
            let (board, number) = match text.trim_start_matches('#').split_once('#') {
                Some((board, number)) => (board, Some(number.parse())),
                None => (text, None),
            };
            match (is_number(board), number.transpose()) {
                (true, Ok(number)) => wanted.push((board, number)),
                _ => return misread!("{}: expected show BOARD or show BOARD#N", word(text)),
            }
        }
        let mut shown = Vec::new();
        for (board, number) in wanted {
            let board = self.named_board(&line, &mut Words::new(board))?;
            shown.push(self.show_board(&board, number)?);
        }
        Ok(shown.join("\n\n"))
    }

    fn show_board(&mut self, board: &Board, number: Option<usize>) -> Answer<String> {
        if matches!(board.state, BoardState::Open | BoardState::Declined) {
            return Ok(self.summary(board));
        }
        let closed = self.open(board, Engines::Held)?.close()?;
        let summary = self.summary(board);
        let game = &closed.game;
        let Some(number) = number else {
            return Ok(format!("{summary}\n\n{}", game_text(board, game)));
        };
        let n_moves = game.n_moves();
        if number > n_moves {
            return refuse!("board {} has only {n_moves} moves", board.id);
        }
        let mut position = game.board().fork();
        while position.ply() > number {
            position.undo();
        }
        let ending = game.snapshot().ending.as_ref();
        let drawn = drawn(position.as_ref(), ending.filter(|_| number == n_moves));
        Ok(format!("{summary}\n\nAfter move {number}:\n\n{drawn}"))
    }

    /// Summarizes a board in a line or two.
    pub(super) fn summary(&self, board: &Board) -> String {
        let [p1, p2] = &board.names;
        let what = match (board.state, &board.record) {
            (BoardState::Open, _) => "a challenge".to_owned(),
            (BoardState::Declined, _) if board.n_lines > 0 => "deleted".to_owned(),
            (BoardState::Declined, _) => "a challenge, declined".to_owned(),
            (BoardState::Over, Some(record)) => format!("{} {{{}}}", record.result, record.reason),
            (BoardState::Over, None) => "over".to_owned(),
            (BoardState::Playing, _) => {
                let until = board.deadline().map(|at| format!(", until {}", moment(at)));
                let (number, until) = (board.plies + 1, until.unwrap_or_default());
                format!("move {number} is for {}{until}", board.mover())
            }
        };
        let (id, game) = (board.id, &board.game);
        wrap(&format!("{id:>4}  {game}  {p1} - {p2}: {what}"))
    }

    fn show_user(&self, name: &str, is_next: bool, game: Option<&str>) -> Answer<String> {
        let user = self.known_user(name)?;
        let mut boards = self.open_boards(user.id)?;
        let is_own_turn = |board: &Board| {
            let is_playing = board.state == BoardState::Playing;
            is_playing && board.players[board.to_move.index()] == user.id
        };
        boards.retain(|board| !is_next || is_own_turn(board));
        let lines = self.summaries(&boards, game);
        Ok(match is_next {
            true => listed(
                &lines,
                format!("{user} is to move on"),
                format!("{user} is not to move on any board"),
            ),
            false => listed(
                &lines,
                format!("The games of {user}"),
                format!("{user} has no games"),
            ),
        })
    }

    /// Summarizes the boards of a game, or of all games.
    fn summaries(&self, boards: &[Board], game: Option<&str>) -> Vec<String> {
        let boards = boards.iter();
        let wanted = boards.filter(|board| game.is_none_or(|game| board.game_name() == game));
        wanted.map(|board| self.summary(board)).collect()
    }

    /// `games [USER]`: lists the games in play.
    pub(super) fn list_games(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        self.skip_token(&mut words)?;
        if let Some(name) = words.next() {
            words.end("games USER")?;
            return self.show_user(name, false, line.game);
        }
        let boards = self.boards_where("state = 'playing'", [])?;
        let mut lines = self.summaries(&boards, line.game);
        if lines.is_empty() {
            return Ok("No games are in play.".to_owned());
        }
        let n_left_out = lines.len().saturating_sub(MAX_LISTED);
        lines.truncate(MAX_LISTED);
        if n_left_out > 0 {
            lines.push(format!("      and {n_left_out} more"));
        }
        Ok(lines.join("\n"))
    }

    /// `history BOARD`: moves and notes of a game; `history USER`: finished games of a user.
    pub(super) fn history(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        self.skip_token(&mut words)?;
        let is_board = words.peek().is_none_or(is_number);
        if !is_board {
            let user = self.known_user(words.rest())?;
            let boards = self.boards_where("state = 'over' AND (p1 = ?1 OR p2 = ?1)", [user.id])?;
            let mut lines = self.summaries(&boards, line.game);
            lines.reverse();
            lines.truncate(MAX_LISTED);
            let none = format!("{user} has no finished games");
            return Ok(listed(
                &lines,
                format!("The finished games of {user}"),
                none,
            ));
        }
        let board = self.named_board(line, &mut words)?;
        words.end("history BOARD")?;
        if matches!(board.state, BoardState::Open | BoardState::Declined) {
            return Ok(self.summary(&board));
        }
        let closed = self.open(&board, Engines::Held)?.close()?;
        let moves = codes(&closed.game)
            .zip(1..)
            .map(|(code, number)| format!("{number}. {code}"));
        let moves = wrap(&moves.collect::<Vec<_>>().join("  "));
        let (summary, notes) = (self.summary(&board), self.notes(board.id)?);
        let names = board.names.join(" - ");
        Ok(format!("{summary}\n\n{names}\n{moves}{notes}"))
    }

    /// `players`
    pub(super) fn list_players(&mut self, line: &Line) -> Answer<String> {
        let mut words = Words::new(&line.rest);
        self.skip_token(&mut words)?;
        words.end("players")?;
        let confirmed = self.users()?.into_iter().filter(|user| user.is_confirmed);
        let names = confirmed.map(|user| user.name);
        Ok(wrap(&names.collect::<Vec<_>>().join(", ")))
    }
}

/// Returns lines below a heading, or the sentence that there are none.
fn listed(lines: &[String], heading: String, none: String) -> String {
    match lines {
        [] => format!("{none}."),
        lines => format!("{heading}:\n\n{}", lines.join("\n")),
    }
}
