//! Actions of a player other than moves, such as a draw offer: the commands of a table in [`CommandId::BY_MAIL`].

use kit::Side;
use table::{CommandId, Proposal, ProposalEnd, Proposed, TableCommand, TableEvent, Voice};

use super::board::Board;
use super::boards::AtBoard;
use super::work::Work;
use crate::error::{Answer, refuse};
use crate::game::{Engines, OpenBoard};
use crate::store::ENGINE_NAME;

impl Work<'_> {
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
        let command = command.expect("actions by mail have no arguments");
        let mut events = open.ask(at.side, command)?;
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
pub(super) fn action(word: &str) -> Option<CommandId> {
    let mut all = CommandId::BY_MAIL.into_iter();
    all.find(|(_, own, _)| *own == word).map(|(id, ..)| id)
}

/// The sentence of an e-mail about an open proposal.
pub(super) fn how_to_agree(proposal: &Proposal, board: i64) -> String {
    let accept = CommandId::Accept.name(Voice::Mail);
    let text = &proposal.text;
    format!("{text}. To agree, reply with {accept} {board}; a move declines.")
}
