//! E-mails of a transaction, in the threads of their recipients; those about a board have the event, the game as text,
//! and how to answer.

use std::fmt::Write;

use draw::{Room, View};
use kit::{DynHistory, Side};
use linesman::date::moment;
use record::game::Ending;
use rusqlite::{OptionalExtension, params};
use table::{ClientGame, CommandId, TableView, Voice};

use super::{Board, BoardState, Work};
use crate::{
    Answer, ClosedBoard, DAY, Draft, HOUR, User, WIDTH, compose, letter, new_token, store, wrap,
    wrap_lines,
};

/// Maximum number of ids in an e-mail's `References`.
const MAX_REFERENCES: usize = 10;

/// Maximum number of e-mails to an address per hour and per day that are caused by messages without a token, and of
/// notes to the host per hour.
const MAX_UNPROVEN_AN_HOUR: i64 = 5;
const MAX_UNPROVEN_A_DAY: i64 = 20;

impl Work<'_> {
    /// Mails both players. If the engine moves next, the players are mailed after its move.
    pub(super) fn mail_all(&self, board: &Board, closed: &ClosedBoard, news: &str) -> Answer<()> {
        for side in Side::BOTH {
            if !board.awaits_engine() {
                self.mail_player(board, side, closed, news)?;
            }
        }
        Ok(())
    }

    pub(super) fn mail_player(
        &self,
        board: &Board,
        side: Side,
        closed: &ClosedBoard,
        news: &str,
    ) -> Answer<()> {
        let user = self.user(board.players[side.index()])?;
        let is_playing = board.state == BoardState::Playing;
        let mut about = news[..news.find(". ").map_or(news.len(), |at| at + 1)].to_owned();
        if is_playing && board.to_move == side {
            about += &format!(" Your move {}", board.plies + 1);
        }
        let how = match is_playing {
            true => how_to_answer(board, side, &user, &closed.views[side.index()]),
            false => "Thank you for the game.\n".to_owned(),
        };
        let deadline = board.deadline().map(moment);
        let until = deadline.map(|at| format!(" {} has until {at}.", board.mover()));
        let text = wrap(&format!("{news}{}", until.unwrap_or_default()));
        let body = format!("{text}\n\n{}\n{how}", game_text(board, &closed.game));
        self.post_about(board, &user, &about, body)
    }

    /// Mails a user about a board, if the user can receive e-mails.
    pub(super) fn post_about(
        &self,
        board: &Board,
        user: &User,
        news: &str,
        body: String,
    ) -> Answer<()> {
        if !user.is_reachable() {
            return Ok(());
        }
        self.post(&Draft {
            board: Some((board.id, board.plies)),
            ..Draft::to(user, format!("{} {news}", board.tag()), body)
        })
    }

    /// Mails a note to the host, within the hourly limit.
    pub(super) fn mail_host(&self, text: &str) -> Answer<()> {
        let to = store::get(self.db, "host")?;
        let last_hour = params![to, self.now - HOUR];
        if self.count("outbox WHERE recipient = ?1 AND at > ?2", last_hour)? >= MAX_UNPROVEN_AN_HOUR
        {
            return Ok(());
        }
        self.post_unlimited(&Draft {
            to,
            subject: "A note from the club".to_owned(),
            body: wrap_lines(text),
            ..Draft::default()
        })
    }

    /// `true` if the limits permit an e-mail to this address. An address without a confirmed account gets one e-mail a
    /// day, and more only in answer to messages that prove that their sender reads it. Messages without a token cause
    /// few e-mails, since their sender may be forged.
    pub(super) fn may_mail(&self, to: &str) -> Answer<bool> {
        if self.is_host() {
            return Ok(true);
        }
        let is_reader = self.is_reader && self.sender() == to;
        let is_proven = is_reader || self.is_users(to) || self.is_known(to)?;
        let sent = "outbox WHERE recipient = ?1 AND at > ?2";
        if !is_proven && self.count(sent, params![to, self.now - DAY])? > 0 {
            return Ok(false);
        }
        Ok(is_reader || self.user.is_some() || self.n_unproven_left(to)? > 0)
    }

    /// Number of e-mails that messages without a token may still cause to this address now.
    pub(super) fn n_unproven_left(&self, to: &str) -> Answer<i64> {
        let mut left = i64::MAX;
        for (max, period) in [(MAX_UNPROVEN_AN_HOUR, HOUR), (MAX_UNPROVEN_A_DAY, DAY)] {
            let unproven = "outbox WHERE recipient = ?1 AND at > ?2 AND cause IS NULL";
            left = left.min(max - self.count(unproven, params![to, self.now - period])?);
        }
        Ok(left)
    }

    /// Stores an e-mail, to be sent after the commit, if the limits permit one to its recipient.
    pub(super) fn post(&self, draft: &Draft) -> Answer<()> {
        match self.may_mail(&draft.to)? {
            true => self.post_unlimited(draft),
            false => Ok(()),
        }
    }

    pub(super) fn post_unlimited(&self, draft: &Draft) -> Answer<()> {
        let domain = self.own.rsplit('@').next().unwrap_or("localhost");
        let to = &draft.to;
        let (board, plies) = draft.board.unzip();
        let random = new_token()? + &new_token()?;
        let id = format!("{}.{random}@{domain}", board.unwrap_or(0));
        let cause = match self.is_host() {
            true => Some(0),
            false => self.user.as_ref().map(|user| user.id),
        };
        let is_answer = self.is_users(to) || !self.is_host() && self.sender() == to;
        let mut references = self.thread(draft)?;
        if let Some(incoming) = self.incoming.filter(|_| is_answer) {
            references.extend(incoming.references.iter().cloned());
            references.extend(Some(incoming.id.clone()).filter(|id| !id.is_empty()));
        }
        let mut seen = std::collections::HashSet::new();
        references.reverse();
        references.retain(|id| seen.insert(id.clone()));
        references.truncate(MAX_REFERENCES);
        references.reverse();
        let raw = compose(draft, &self.own, &id, &references, is_answer, self.now)?;
        self.db.execute(
            "INSERT INTO outbox (message_id, recipient, user, board, plies, grants_account, raw, at, cause)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![id, to, draft.user, board, plies, draft.grants_account, raw, self.now, cause],
        )?;
        Ok(())
    }

    /// Returns the ids of the first and the last e-mail to the same player about the same board.
    fn thread(&self, draft: &Draft) -> Answer<Vec<String>> {
        let (Some(user), Some((board, _))) = (draft.user, draft.board) else {
            return Ok(Vec::new());
        };
        let mut ids = Vec::new();
        for order in ["ASC", "DESC"] {
            let query = format!(
                "SELECT message_id FROM outbox WHERE user = ?1 AND board = ?2 ORDER BY id {order} LIMIT 1"
            );
            let id = self.db.query_row(&query, [user, board], |row| row.get(0));
            ids.extend(id.optional()?);
        }
        ids.dedup();
        Ok(ids)
    }
}

/// Lists the commands that are possible for the player now, ready to be copied.
fn how_to_answer(board: &Board, side: Side, user: &User, view: &TableView) -> String {
    let (id, name, token) = (board.id, &user.name, board.token(side));
    let (intro, word, number) = match view.is_own_turn {
        true => (
            "Reply with the move alone as the first line, or send one of these commands from any address:",
            "move",
            board.plies + 1,
        ),
        false => (
            "It is not your turn. You can still send one of these commands from any address:",
            "queue",
            board.plies + 2,
        ),
    };
    let play = format!("{word} {id} {name} {token} MOVE#{number}");
    let actions = view.actions.iter().filter_map(|action| {
        let (_, word, _) = action
            .command
            .by_mail()
            .filter(|_| action.refused.is_none())?;
        Some(format!("{word} {id} {name} {token}"))
    });
    let commands: Vec<String> = std::iter::once(play).chain(actions).collect();
    letter(&[intro], &commands, token)
}

pub(super) fn game_text(board: &Board, game: &ClientGame) -> String {
    let (position, ending) = (game.board(), game.snapshot().ending.as_ref());
    let names = position.side_names();
    let player = |side: Side| format!("{} ({})", board.name(side), names[side.index()]);
    let mut text = format!("Game: {}\n", board.game);
    for side in Side::BOTH {
        let _ = writeln!(text, "Player {}: {}", side.index() + 1, player(side));
    }
    let _ = write!(text, "\n{}\n\n", drawn(position, ending));
    for (number, code) in (1..).zip(codes(game)) {
        let _ = writeln!(text, "{number}. {code}");
    }
    if let Some(ending) = ending {
        let over = format!("The game is over: {} {{{}}}", ending.result, ending.reason);
        return format!("{text}\n{}\n", wrap(&over));
    }
    if let Some(proposal) = &game.snapshot().proposal {
        let (asked, accept) = (&proposal.text, CommandId::Accept.name(Voice::Mail));
        let how = format!(
            "{asked}. To agree, reply with {accept} {}; a move declines.",
            board.id
        );
        let _ = writeln!(text, "\n{}", wrap(&how));
    }
    let (number, player) = (game.n_moves() + 1, player(position.side()));
    let next = format!("Move {number} is for {player}.");
    format!("{text}\n{}\n", wrap(&next))
}

/// Returns the moves of a game, including those of its opening.
pub(super) fn codes(game: &ClientGame) -> impl Iterator<Item = &str> {
    let book = game.snapshot().opening.moves.iter().map(String::as_str);
    book.chain(game.tree().line().map(|ply| ply.code.as_str()))
}

/// Draws a board in ASCII within [`WIDTH`] columns; a wider one is clipped to the part around the last move. `ending` is
/// that of a game that ended in this position.
pub(super) fn drawn(position: &dyn DynHistory, ending: Option<&Ending>) -> String {
    let ending = ending.and_then(|ending| {
        ending
            .result
            .caption(&position.side_names(), &ending.reason)
    });
    let view = View {
        is_ascii: true,
        ending: ending.as_deref(),
        ..View::default()
    };
    let whole = position.draw(view);
    if whole.lines().all(|line| line.len() <= WIDTH) {
        return whole;
    }
    let room = Room {
        columns: WIDTH,
        lines: usize::MAX,
        shows: "",
    };
    position.draw(View {
        room: Some(room),
        ..view
    })
}
