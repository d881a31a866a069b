//! Moves, immediate, queued and as answers to e-mails, and the other actions of a player, such as a draw offer: the
//! commands of a table in [`CommandId::BY_MAIL`].

use kit::{DynHistory, Side};
use rusqlite::{OptionalExtension, params};
use table::typing::{self, TypingError, read_moves};
use table::{CommandId, Proposal, ProposalEnd, Proposed, TableCommand, TableEvent};

use super::{AtBoard, Board, BoardState, Work};
use crate::{
    Answer, ClubError, ENGINE_NAME, Engines, Line, OpenBoard, OwnLine, Words, letter, misread,
    refuse, script, word,
};

/// Maximum number of queued moves of a board.
const MAX_QUEUED: i64 = 50;

/// Answer to a message without a command.
const NO_COMMAND: &str = "no command in it: expected one in the subject, or one per line at the start of the text; the \
                          command help lists them";

/// Words in place of a move.
const ACTIONS: [(&str, CommandId); 4] = [
    ("resign", CommandId::Resign),
    ("resigns", CommandId::Resign),
    ("i resign", CommandId::Resign),
    (DRAW, CommandId::OfferDraw),
];

/// A draw offer after a move.
const DRAW: &str = "draw";

/// The turn that a line contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn<'a> {
    /// A move, possibly with a draw offer.
    Move {
        /// The move as written.
        text: &'a str,
        /// `true` if the player offers a draw with it.
        offers_draw: bool,
    },
    /// An action in place of a move.
    Action(CommandId),
}

impl Turn<'_> {
    /// Parses the text of a line after the number.
    fn parse(text: &str) -> Turn<'_> {
        let is_end =
            |sign: char| sign.is_whitespace() || matches!(sign, '.' | '!' | '?' | ',' | ';');
        let text = text.trim_matches(is_end);
        let mut actions = ACTIONS.iter();
        if let Some((_, id)) = actions.find(|(word, _)| text.eq_ignore_ascii_case(word)) {
            return Turn::Action(*id);
        }
        let at = text.len().saturating_sub(DRAW.len());
        let (before, last) = text.split_at_checked(at).unwrap_or((text, ""));
        let offers_draw = last.eq_ignore_ascii_case(DRAW) && before.ends_with(is_end);
        let text = if offers_draw {
            before.trim_end_matches(is_end)
        } else {
            text
        };
        Turn::Move { text, offers_draw }
    }
}

impl Work<'_> {
    /// Commands of a player at a board, as in `move BOARD USER TOKEN CODE[#N]`; actions, `swap` and `pass` take no code.
    /// Like pbmserv, also accepts the other commands in place of a move: `move ... resign`.
    pub(super) fn make_move(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let at = self.seat(line, &mut words)?;
        let (text, number) = numbered(words.rest());
        let word = match line.word {
            "move" => script::command(words.rest()).unwrap_or(line.word),
            word => {
                Words::new(text).end(&format!("{word} BOARD USER TOKEN"))?;
                word
            }
        };
        match (action(word), word) {
            (Some(id), _) => self.act(&at, id),
            (None, "swap" | "pass") if line.word == word => {
                self.play(&at, word, number.or(self.expected_number(&at.board)))
            }
            _ => self.play(&at, text, number),
        }
    }

    /// Makes a move. If its number is given, it must be the next one.
    pub(super) fn play(
        &mut self,
        at: &AtBoard,
        text: &str,
        number: Option<usize>,
    ) -> Answer<String> {
        at.board.check_playing()?;
        check_number(number, at.board.plies + 1)?;
        let board = self.play_text(&at.board, at.side, text)?;
        self.play_queued(board)?;
        Ok(String::new())
    }

    /// Makes a move and mails both players. Returns the board after it.
    fn play_text(&mut self, board: &Board, side: Side, text: &str) -> Answer<Board> {
        let (text, offers_draw) = match Turn::parse(text) {
            Turn::Move { text, offers_draw } => (text, offers_draw),
            Turn::Action(_) => return refuse!("{} is not a move", word(text)),
        };
        let mut open = self.open(board, Engines::Held)?;
        open.check_turn(side)?;
        let code = read_one(open.game()?.board(), text)?;
        let play = TableCommand::Play {
            code: code.clone(),
            from: None,
        };
        open.ask(side, play)?;
        let mut offer = "";
        if offers_draw && !open.game()?.is_over() {
            open.ask(side, TableCommand::OfferDraw)?;
            offer = " and offers a draw";
        }
        let news = format!("{} plays {code}{offer}.", board.name(side));
        self.finish(board, open, &news)
    }

    /// `queue BOARD USER TOKEN CODE#N`: queues a move for a later turn.
    pub(super) fn queue(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let at = self.seat(line, &mut words)?;
        at.board.check_playing()?;
        let (code, Some(number)) = numbered(words.rest()) else {
            return misread!("write queue BOARD USER TOKEN CODE#N, with the number of the move");
        };
        let next = at.board.plies + 1;
        if number < next {
            return check_number(Some(number), next).map(|()| String::new());
        }
        let is_own = ((number - next) % 2 == 0) == (at.board.to_move == at.side);
        if !is_own || number > next + 1000 {
            return refuse!("move {number} is not one of {}'s", at.user);
        }
        if code.is_empty() || code.len() > 40 {
            return refuse!("{} is not a move", word(code));
        }
        if number == next {
            return self.play(&at, code, None);
        }
        let id = at.board.id;
        let n_queued = self.count("queued WHERE board = ?1", [id])?;
        if n_queued >= MAX_QUEUED {
            return refuse!("board {id} already has {n_queued} queued moves, the maximum");
        }
        let insert = "INSERT OR REPLACE INTO queued VALUES (?1, ?2, ?3, ?4)";
        let row = params![id, number, at.user.id, code];
        self.db.execute(insert, row)?;
        Ok(format!(
            "Move {number} on board {id} will be {code}, if it is legal then."
        ))
    }

    /// Plays queued moves while there is one for the next turn.
    pub(super) fn play_queued(&mut self, mut board: Board) -> Answer<Board> {
        while board.state == BoardState::Playing {
            let query = "SELECT user, code FROM queued WHERE board = ?1 AND number = ?2";
            let number = params![board.id, board.plies + 1];
            let found = self.db.query_row(query, number, |row| row.try_into());
            let Some((user, code)): Option<(i64, String)> = found.optional()? else {
                break;
            };
            self.delete("queued WHERE board = ?1 AND number <= ?2", number)?;
            if board.players[board.to_move.index()] != user {
                break;
            }
            match self.play_text(&board, board.to_move, &code) {
                Ok(after) => board = after,
                Err(ClubError::Refused(why) | ClubError::Misread(why)) => {
                    self.report_queued_refused(&board, user, &code, &why)?;
                    break;
                }
                Err(broken) => return Err(broken),
            }
        }
        Ok(board)
    }

    fn report_queued_refused(&self, board: &Board, user: i64, code: &str, why: &str) -> Answer<()> {
        let number = board.plies + 1;
        let text = format!("Your queued move {number}, {code}, is not legal: {why}.");
        let body = letter(
            &[&text, "Reply to this e-mail with another move."],
            &[""; 0],
            "",
        );
        self.post_about(board, &self.user(user)?, "your queued move", body)
    }

    /// Makes the move on a line of an answer to an e-mail about a board.
    pub(super) fn play_answer(&mut self, line: &str) -> Answer<String> {
        let Some((answered, id)) = self.answered.zip(self.answered_board()) else {
            return refuse!("{NO_COMMAND}");
        };
        let board = self.board(id)?;
        let user = self.authenticated(self.user(answered.user)?)?;
        if board.side_of(user.id).is_none() {
            return refuse!("{NO_COMMAND}");
        }
        board.check_playing()?;
        if line.is_empty() {
            return refuse!("no move in it: write one as the first line");
        }
        let at = AtBoard::new(board, user, false)?;
        let (text, number) = numbered(line);
        let number = number.or(self.expected_number(&at.board));
        check_number(number, at.board.plies + 1)?;
        match Turn::parse(text) {
            Turn::Action(id) => self.act(&at, id),
            Turn::Move { .. } => self.play(&at, text, number),
        }
    }

    /// Returns the number of the move that the answered e-mail asks for.
    fn expected_number(&self, board: &Board) -> Option<usize> {
        let (id, plies) = self.answered?.board?;
        (id == board.id).then_some(plies + 1)
    }

    /// Carries out an action at a board, as in `draw BOARD USER TOKEN`, and mails both players.
    pub(super) fn act(&mut self, at: &AtBoard, id: CommandId) -> Answer<String> {
        at.board.check_playing()?;
        if let Some((_, word, true)) = id.by_mail() {
            at.check_explicit(word)?;
        }
        let other = at.side.other();
        let is_against_engine = at.board.name(other) == ENGINE_NAME;
        // The engine judges an offer by its last score, so it must be running.
        let engines = match is_against_engine && id == CommandId::OfferDraw {
            true => Engines::Playing,
            false => Engines::Held,
        };
        if engines == Engines::Playing && at.board.to_move == other {
            return refuse!("{ENGINE_NAME} is to move: make the offer in your own turn");
        }
        let mut open = self.open(&at.board, engines)?;
        let theirs = open.proposal(other)?;
        let is_same = id == CommandId::Undo
            && (theirs.as_ref()).is_some_and(|theirs| matches!(theirs.what, Proposed::GoTo { .. }));
        let command = TableCommand::without_arguments(if is_same { CommandId::Accept } else { id });
        let mut events = open.ask(at.side, command.expect("actions by mail have no arguments"))?;
        let (mut actor, mut answered) = (at.side, theirs);
        let own = open.proposal(at.side)?;
        if own.is_some() && is_against_engine {
            events = open.ask(other, TableCommand::Accept)?;
            (actor, answered) = (other, own);
        } else if own.is_some() {
            self.refuse_flood(&at.user, &self.user(at.board.players[other.index()])?)?;
        }
        let n_moves = open.game()?.n_moves();
        if n_moves < at.board.plies {
            self.delete("queued WHERE board = ?1", [at.board.id])?;
        }
        let news = news(at.board.name(actor), answered.as_ref(), &events, n_moves);
        self.finish(&at.board, open, &news)?;
        Ok(String::new())
    }

    /// Stores the result of a command at a board, and mails both players. Returns the board after it.
    pub(super) fn finish(&self, board: &Board, open: OpenBoard, news: &str) -> Answer<Board> {
        let closed = open.close()?;
        let board = self.store(board, &closed)?;
        self.mail_all(&board, &closed, news)?;
        Ok(board)
    }

    /// Returns the line of an answer to a board that contains its move: the first one that is neither a command nor
    /// [`is_agreement`](Work::is_agreement) if that is a move, else the only one below it. `None` if there is none, or if
    /// the message answers no game in play.
    ///
    /// # Errors
    /// Several lines are moves.
    pub(super) fn turn_of_answer<'l>(&self, script: &'l [OwnLine]) -> Answer<Option<&'l OwnLine>> {
        let lines = || {
            let lines = script.iter();
            lines.filter(|own| own.command.is_none() && !self.is_agreement(own))
        };
        let (Some(id), Some(first)) = (self.answered_board(), lines().next()) else {
            return Ok(None);
        };
        let board = self.board(id)?;
        if board.state != BoardState::Playing {
            return Ok(None);
        }
        let closed = self.open(&board, Engines::Held)?.close()?;
        let position = closed.game.board();
        let read = |own: &OwnLine| match Turn::parse(numbered(&own.text).0) {
            Turn::Move { text, .. } => read_moves(position, text),
            Turn::Action(_) => Ok(Vec::new()),
        };
        if !matches!(read(first), Err(TypingError::NoMove(_))) {
            return Ok(Some(first));
        }
        let is_move = |own: &&OwnLine| read(own).is_ok_and(|codes| codes.len() == 1);
        // A copy of the game in the reply has the numbers of earlier moves.
        let mut moves = lines().filter(is_move).filter(|own: &&OwnLine| {
            let number = numbered(&own.text).1;
            number.is_none_or(|number| number > position.ply())
        });
        match (moves.next(), moves.next()) {
            (Some(one), Some(other)) => {
                let [one, other] = [one, other].map(|own| word(&own.text));
                refuse!("{one} and {other} are moves: send one")
            }
            (only, _) => Ok(only),
        }
    }

    /// `true` if a line of an answer to a board asks to end the game, as in `Draw?` or `I resign.`
    pub(super) fn is_agreement(&self, own: &OwnLine) -> bool {
        let is_about_board = self.answered_board().is_some();
        let turn = Turn::parse(numbered(&own.text).0);
        is_about_board && own.command.is_none() && matches!(turn, Turn::Action(_))
    }
}

/// Checks that a move is the next one, so that an answer to an old e-mail has no effect.
fn check_number(number: Option<usize>, next: usize) -> Answer<()> {
    let check = |number| typing::check_number(number, next).map_err(ClubError::Refused);
    number.map_or(Ok(()), check)
}

/// The sentence about an action for both players: a proposal, the answer to one, or the end of the game.
fn news(actor: &str, answered: Option<&Proposal>, events: &[TableEvent], n_moves: usize) -> String {
    let end = events.iter().find_map(|event| match event {
        TableEvent::ProposalEnded { end } => Some(*end),
        _ => None,
    });
    let other = events.iter().find_map(|event| match event {
        TableEvent::GameOver { record } => Some(format!("{}.", record.reason)),
        TableEvent::Proposed(own) => Some(format!("{actor} {}.", own.what.asked(n_moves))),
        _ => None,
    });
    match (end, answered, other) {
        (Some(ProposalEnd::Accepted), Some(answered), _) => {
            format!("{actor} agrees: {}.", answered.text)
        }
        (_, _, Some(other)) => other,
        (Some(ProposalEnd::Withdrawn), ..) => format!("{actor} withdraws the proposal."),
        _ => format!("{actor} declines."),
    }
}

impl OpenBoard {
    /// The open proposal of a side.
    fn proposal(&mut self, side: Side) -> Answer<Option<Proposal>> {
        let proposal = self.game()?.snapshot().proposal.clone();
        Ok(proposal.filter(|proposal| proposal.side == Some(side)))
    }
}

/// The action of this name.
fn action(word: &str) -> Option<CommandId> {
    let mut all = CommandId::BY_MAIL.into_iter();
    all.find(|(_, own, _)| *own == word).map(|(id, ..)| id)
}

/// Parses a text as a single legal move.
fn read_one(position: &dyn DynHistory, text: &str) -> Answer<String> {
    let codes = read_moves(position, text).map_err(|why| match why {
        TypingError::NoMove(why) => ClubError::Misread(why),
        // The club has no command that lists the moves.
        TypingError::Illegal { why, legal, .. } if legal.is_empty() => ClubError::Refused(why),
        why => ClubError::Refused(why.to_string()),
    })?;
    match <[String; 1]>::try_from(codes) {
        Ok([code]) => Ok(code),
        Err(_) => refuse!("{}: write one move", word(text)),
    }
}

/// Splits a move from its number, which comes first as in `5. e5` or last as in `e5#5`.
fn numbered(text: &str) -> (&str, Option<usize>) {
    let text = text.trim();
    if let Some((code, number)) = text.rsplit_once('#')
        && let Ok(number) = number.trim().parse()
    {
        return (code.trim(), Some(number));
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &text[digits..];
    match (text[..digits].parse(), rest.strip_prefix(['.', ')', ':'])) {
        (Ok(number), Some(code)) => (code.trim_start_matches('.').trim(), Some(number)),
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_more_than_a_move() {
        let plain = |text| Turn::Move {
            text,
            offers_draw: false,
        };
        let offer = |text| Turn::Move {
            text,
            offers_draw: true,
        };
        for (text, turn) in [
            ("b2 -> c3", plain("b2 -> c3")),
            ("c3, draw", offer("c3")),
            ("c3 Draw?", offer("c3")),
            ("C3; draw!", offer("C3")),
            ("Resign.", Turn::Action(CommandId::Resign)),
            ("I resign", Turn::Action(CommandId::Resign)),
            ("draw", Turn::Action(CommandId::OfferDraw)),
            ("withdraw", plain("withdraw")),
            ("\u{e9}", plain("\u{e9}")),
        ] {
            assert_eq!(Turn::parse(text), turn, "{text}");
        }
    }

    #[test]
    fn a_number_stands_on_either_side() {
        for (text, code, number) in [
            ("e5#3", "e5", Some(3)),
            ("b2 -> c3 # 12", "b2 -> c3", Some(12)),
            ("3. e5", "e5", Some(3)),
            ("3... e5", "e5", Some(3)),
            ("3) e5", "e5", Some(3)),
            ("3@b2", "3@b2", None),
            ("#3", "", Some(3)),
            ("e5#", "e5#", None),
            ("99999999999999999999. e5", "99999999999999999999. e5", None),
        ] {
            assert_eq!(numbered(text), (code, number), "{text}");
        }
    }
}
