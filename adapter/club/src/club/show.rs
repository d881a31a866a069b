//! Public information: boards, games, users, standings and ratings, and `help`.

use linesman::date::moment;
use record::stats::{Rating, Report, Row, Summary};

use super::{Board, BoardState, Work, codes, drawn, game_text};
use crate::{
    Answer, ENGINE_NAME, Engines, Line, Words, is_number, misread, refuse, script, word, wrap,
};

/// Maximum number of games in a list.
const MAX_LISTED: usize = 200;

/// Maximum number of boards that one command shows.
const MAX_SHOWN: usize = 10;

/// Width of the column with names.
const NAME: usize = 20;

/// Commands and their descriptions. TOKEN at the end of a line is the account token; after USER, the board's token is
/// valid too.
const COMMANDS: &str = include_str!("commands.txt");

impl Work<'_> {
    /// `show BOARD[#N] ...`, `show USER`, `show USER next`
    pub(super) fn show(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        // The name of the game may come first, as in `show susan 12`.
        let first = words.peek().unwrap_or_default();
        let game = script::game(first, &self.games);
        words.skip_if(game.is_some());
        let game = game.or(line.game);
        let line = Line {
            game,
            ..line.clone()
        };
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
            let (board, number) = text.trim_start_matches('#').split_once('#').unzip();
            let (board, number) = (board.unwrap_or(text), number.map(str::parse).transpose());
            match number {
                Ok(number) if is_number(board) => wanted.push((board, number)),
                _ => return misread!("{}: write show BOARD or show BOARD#N", word(text)),
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
            board.state == BoardState::Playing && board.players[board.to_move.index()] == user.id
        };
        boards.retain(|board| !is_next || is_own_turn(board));
        let lines = self.summaries(&boards, game);
        let (heading, none) = match is_next {
            true => (
                format!("{user} is to move on"),
                "is not to move on any board",
            ),
            false => (format!("The games of {user}"), "has no games"),
        };
        Ok(listed(&lines, &heading, &format!("{user} {none}")))
    }

    /// Summarizes the boards of a game, or of all games.
    fn summaries(&self, boards: &[Board], game: Option<&str>) -> Vec<String> {
        let boards = boards.iter();
        let wanted = boards.filter(|board| game.is_none_or(|game| board.game_name() == game));
        wanted.map(|board| self.summary(board)).collect()
    }

    /// `games [USER]`: lists the games in play.
    pub(super) fn list_games(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        if let Some(name) = words.next() {
            words.end("games USER")?;
            return self.show_user(name, false, line.game);
        }
        let mut lines = self.summaries(&self.boards_where("state = 'playing'", [])?, line.game);
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
        if words.peek().is_some_and(|word| !is_number(word)) {
            let user = self.known_user(words.rest())?;
            let boards = self.boards_where("state = 'over' AND (p1 = ?1 OR p2 = ?1)", [user.id])?;
            let mut lines = self.summaries(&boards, line.game);
            lines.reverse();
            lines.truncate(MAX_LISTED);
            let none = format!("{user} has no finished games");
            let heading = format!("The finished games of {user}");
            return Ok(listed(&lines, &heading, &none));
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
    pub(super) fn list_players(&mut self, words: Words<'_>) -> Answer<String> {
        words.end("players")?;
        let confirmed = self.users()?.into_iter().filter(|user| user.is_confirmed);
        let names = confirmed.map(|user| user.name);
        Ok(wrap(&names.collect::<Vec<_>>().join(", ")))
    }

    /// `standings [GAME]`, `ratings [GAME]`
    pub(super) fn standings(&mut self, line: &Line, words: Words<'_>) -> Answer<String> {
        let (title, report) = self.finished(line, words)?;
        let mut rows = report.tally.rows;
        if rows.is_empty() {
            return Ok(format!("{title}: no finished games."));
        }
        let (about, head, lines): (_, _, Vec<String>) = match line.word {
            "ratings" => (
                ", Elo above the mean of all players, with 95 % confidence",
                "     Elo      +/-  games",
                report.ratings.players.iter().map(rating).collect(),
            ),
            _ => {
                rows.sort_by(|a, b| b.total().score().total_cmp(&a.total().score()));
                let head = "  points  games    won  drawn   lost";
                ("", head, rows.iter().map(standing).collect())
            }
        };
        let lines = lines.join("\n");
        Ok(format!("{title}{about}:\n\n{:NAME$}{head}\n{lines}\n", ""))
    }

    /// Returns the statistics of the finished games of one game, or of all, with a title.
    fn finished(&mut self, line: &Line, mut words: Words<'_>) -> Answer<(String, Report)> {
        let game = match words.next() {
            Some(text) => Some(self.game_named(text)?),
            None => line.game,
        };
        words.end(&format!("{} GAME", line.word))?;
        let mut summary = Summary::new(&[""; 0], None);
        for board in self.boards_where("state = 'over'", [])? {
            let is_wanted = game.is_none_or(|game| board.game_name() == game);
            if let Some(record) = board.record.filter(|_| is_wanted) {
                summary.count(&record);
            }
        }
        Ok((game.unwrap_or("all games").to_owned(), summary.report()))
    }

    /// `help [GAME]`, `GAME help`
    pub(super) fn help(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let game = match words.next() {
            Some(text) if script::command(text).is_none() => Some(self.game_named(text)?),
            Some(text) => script::game(text, &self.games),
            None => line.game,
        };
        words.end("help GAME")?;
        Ok(match game {
            Some(game) => self.rules_of(game),
            None => self.commands(),
        })
    }

    fn rules_of(&self, name: &str) -> String {
        let Ok(entry) = self.host.registry.find(name) else {
            return String::new();
        };
        // The texts have move codes in backticks, for example `b2`.
        let plain = |text: &str| wrap(&text.replace('`', ""));
        let about = entry.about();
        let (idea, example) = (plain(about.idea), plain(about.example));
        let mut text = format!("{}\n\n{idea}\n\n{example}\n", about.heading());
        for section in &about.rules {
            text += &format!("\n{}\n{}\n", section.heading, plain(section.text));
        }
        let options = entry.source.options();
        let options: Vec<&str> = options.iter().map(|option| option.name.as_ref()).collect();
        if let Some(first) = options.first() {
            let options = options.join(", ");
            let how = format!("challenge {name}:{first}=VALUE USER TOKEN");
            text += &format!("\nOptions: {options}. As in: {how}\n");
        }
        text
    }

    fn commands(&self) -> String {
        let intro = wrap(
            "Write commands in the subject, or at the start of the text, one per line. To answer an e-mail about a \
             board, the move alone is enough: as the first line, above the quoted text.",
        );
        let rest = wrap(&format!(
            "TOKEN after USER is the token in the e-mails about the board; otherwise it is the token of the account. A \
             reply to an e-mail need not repeat the board, the user or the token. {ENGINE_NAME} is the engine, which \
             answers at once. Games: {}.",
            self.games.join(", ")
        ));
        format!("{intro}\n\n{COMMANDS}\n{rest}\n")
    }
}

/// Returns lines below a heading, or the sentence that there are none.
fn listed(lines: &[String], heading: &str, none: &str) -> String {
    match lines {
        [] => format!("{none}."),
        lines => format!("{heading}:\n\n{}", lines.join("\n")),
    }
}

fn standing(row: &Row) -> String {
    let (name, total) = (&row.name, row.total());
    let (score, games) = (total.score(), total.games());
    let (wins, draws, losses) = (total.wins, total.draws, total.losses);
    format!("{name:NAME$}  {score:>6}  {games:>5}  {wins:>5}  {draws:>5}  {losses:>5}")
}

fn rating(player: &Rating) -> String {
    let (name, elo, games) = (&player.name, player.elo.value, player.games);
    let error = match player.elo.error {
        error if error < 9999.0 => format!("{error:.0}"),
        _ => "-".to_owned(),
    };
    format!("{name:NAME$}  {elo:>+6.0}  {error:>7}  {games:>5}")
}
