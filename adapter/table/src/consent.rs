//! Proposals that need another person's consent: a draw, taking moves back, another game.

use crate::model::{
    ClientId, Mover, NodeId, Proposal, ProposalEnd, Proposed, Refusal, SideSet, TableEvent,
};
use kit::{Outcome, Side};
use record::game::Points;

use crate::error::{Done, refuse};
use crate::journal::{JournalEntry, Offer};
use crate::state::Table;

/// Minimum number of moves before an engine accepts a draw.
const TOO_EARLY: usize = 10;

impl Table {
    /// Carries out an action immediately if no other person plays; otherwise proposes it.
    pub(super) fn propose(&mut self, client: ClientId, what: Proposed) -> Done {
        let awaited = self.awaited(client);
        if awaited.is_empty() {
            return self.carry_out(what);
        }
        self.put_proposal(client, awaited, what)
    }

    pub(super) fn put_proposal(
        &mut self,
        client: ClientId,
        awaited: SideSet,
        what: Proposed,
    ) -> Done {
        match &self.proposal {
            Some(proposal) if !self.is_proposer(client) => {
                let proposal = proposal.text.clone();
                return refuse(Refusal::AnswerFirst { proposal });
            }
            Some(_) => self.end_proposal(ProposalEnd::Withdrawn),
            None => {}
        }
        let name = self.name_of(client);
        let proposal = self.proposal_of(client, name, self.own_side(client), what, awaited);
        self.tell_all(TableEvent::Proposed(proposal.clone()));
        let at = self.tree.here();
        let offer = proposal.side.map(|side| Offer { side, at });
        match (self.proposal.insert(proposal).what.clone(), offer) {
            (Proposed::Draw, Some(offer)) => self.note(&JournalEntry::Offer(Some(offer))),
            (Proposed::GoTo { node: to, .. }, Some(offer)) => {
                self.note(&JournalEntry::GoTo { offer, to })
            }
            _ => Ok(()),
        }
    }

    fn proposal_of(
        &self,
        client: ClientId,
        name: String,
        side: Option<Side>,
        what: Proposed,
        awaited: SideSet,
    ) -> Proposal {
        let who = match side {
            Some(side) => self.name_and_side(self.own_seat(client, side)),
            None => name.clone(),
        };
        Proposal {
            client,
            name,
            side,
            text: format!("{who} {}", what.asked(self.moves().len())),
            what,
            awaited,
        }
    }

    /// `true` if the client made the open proposal: under its present number, or, as after a reload of its page, under
    /// that of a client that has left.
    pub(super) fn is_proposer(&self, client: ClientId) -> bool {
        let Some(proposal) = &self.proposal else {
            return false;
        };
        let has_left = !self.clients.all.contains_key(&proposal.client);
        let has_returned = match proposal.side {
            Some(side) => self.sides_with(|id| self.owns(client, id)).contains(side),
            None => self.clients.is_host(client),
        };
        proposal.client == client || has_left && has_returned
    }

    /// `true` if a draw is proposed.
    pub(super) fn is_draw_proposed(&self) -> bool {
        let proposal = self.proposal.as_ref();
        proposal.is_some_and(|proposal| proposal.what == Proposed::Draw)
    }

    /// Asks the other person to allow help from an engine for both, before the first move of a game between two people.
    pub(super) fn propose_hints(&mut self, client: ClientId) -> Done {
        let others = self.with_others(client);
        let is_allowed = self.over.is_some() || self.allows_hints;
        let Some(side) = others.iter().next().filter(|_| !is_allowed) else {
            return Ok(());
        };
        let player = self.name_and_side(self.seat_id(side));
        self.put_proposal(client, others, Proposed::Hints)?;
        refuse(Refusal::HelpIsAsked { player })
    }

    /// Restores a journal's draw offer or request to go to a node if it is still open. The proposer is then none of the
    /// connected clients.
    pub(super) fn restore_offer(&mut self, offer: Option<(Offer, Option<NodeId>)>) {
        let Some((Offer { side, at }, to)) = offer else {
            return;
        };
        let here = self.tree.here();
        let has_moved = self.tree.ply(here).is_some_and(|ply| ply.side == side);
        let stands = at == here || to.is_none() && has_moved && self.tree.parent(here) == at;
        let what = to.map_or(Proposed::Draw, |node| self.going_to(node, false));
        let is_person = |side: &Side| self.seat_info(*side).by == Mover::Person;
        let are_people = Side::BOTH.iter().all(is_person);
        if stands && are_people && self.over.is_none() {
            let name = self.seat(side).name.clone();
            let awaited = side.other().into();
            self.proposal = Some(self.proposal_of(ClientId(0), name, Some(side), what, awaited));
        }
    }

    fn carry_out(&mut self, what: Proposed) -> Done {
        match what {
            Proposed::Draw => self.agree_draw(),
            Proposed::GoTo { node, is_held, .. } => {
                self.go_to(node)?;
                self.is_held = is_held;
                Ok(())
            }
            Proposed::NewGame => {
                let next = self.next_game.take();
                next.map_or(Ok(()), |next| self.start_next(next))
            }
            Proposed::Rematch => self.exchange_sides(),
            Proposed::Hints => {
                self.allows_hints = true;
                Ok(())
            }
        }
    }

    /// Offers a draw, or accepts the opponent's offer.
    pub(super) fn offer_draw(&mut self, client: ClientId) -> Done {
        let side = self.own_side(client).ok_or(Refusal::NotPlaying)?;
        if self.is_draw_proposed() && self.may_answer(client) {
            return self.accept(client);
        }
        if self.is_draw_proposed() && self.is_proposer(client) {
            return refuse(Refusal::OfferIsOpen);
        }
        let other = side.other();
        if self.seat_info(other).by == Mover::Person {
            return self.put_proposal(client, other.into(), Proposed::Draw);
        }
        // An engine accepts if its last score was not better than even.
        let own = self.tree.line().filter(|ply| ply.side == other);
        let last = own.last().and_then(|ply| ply.record.as_ref()?.score);
        let is_even = last.is_some_and(|score| match score {
            Points::Cp(score) | Points::Mate(score) => score <= 0,
            Points::Draw => true,
        });
        if is_even && self.moves().len() >= TOO_EARLY {
            return self.agree_draw();
        }
        let player = self.player_and_side(other);
        refuse(Refusal::DrawDeclined { player })
    }

    fn agree_draw(&mut self) -> Done {
        self.end_by_players(Outcome::Draw, "drawn by agreement".to_owned())
    }

    /// The sides whose consent this client needs: those where another person plays, without the client's own side if it
    /// plays only one.
    pub(super) fn awaited(&self, client: ClientId) -> SideSet {
        let own = self.playing(client);
        let others = self.with_others(client).iter();
        others.filter(|side| own != SideSet::from(*side)).collect()
    }

    /// The open sides for which this client may answer. Any partner may answer for a side; the proposer may only if no
    /// other person plays there.
    fn answerable(&self, client: ClientId) -> SideSet {
        let Some(proposal) = &self.proposal else {
            return SideSet::NONE;
        };
        let owned = self.sides_with(|id| self.owns(client, id));
        let others = self.with_others(client);
        let may = |side: &Side| proposal.client != client || !others.contains(*side);
        let asked = proposal.awaited.iter().filter(|side| owned.contains(*side));
        asked.filter(may).collect()
    }

    pub(super) fn may_answer(&self, client: ClientId) -> bool {
        !self.answerable(client).is_empty()
    }

    /// Accepts the open proposal for the client's sides, and carries it out once all have accepted.
    pub(super) fn accept(&mut self, client: ClientId) -> Done {
        let answered = self.answerable(client);
        let proposal = self.proposal.take_if(|_| !answered.is_empty());
        let mut proposal = proposal.ok_or(Refusal::NothingProposed)?;
        let awaited = proposal.awaited.iter();
        proposal.awaited = awaited.filter(|side| !answered.contains(*side)).collect();
        if !proposal.awaited.is_empty() {
            self.tell_all(TableEvent::Proposed(proposal.clone()));
            self.proposal = Some(proposal);
            return Ok(());
        }
        let end = ProposalEnd::Accepted;
        self.tell_all(TableEvent::ProposalEnded { end });
        self.carry_out(proposal.what)
    }

    /// Declines the open proposal, or withdraws the client's own.
    pub(super) fn decline(&mut self, client: ClientId) -> Done {
        let end = match self.may_answer(client) {
            true => ProposalEnd::Declined,
            false if self.is_proposer(client) => ProposalEnd::Withdrawn,
            false => return refuse(Refusal::NothingProposed),
        };
        // The journal keeps these, so that they are still open after a restart.
        let is_kept = |it: &Proposal| matches!(it.what, Proposed::Draw | Proposed::GoTo { .. });
        let was_kept = self.proposal.as_ref().is_some_and(is_kept);
        self.end_proposal(end);
        match was_kept {
            true => self.note(&JournalEntry::Offer(None)),
            false => Ok(()),
        }
    }

    /// Updates the open proposal after a move. A side that moves instead of answering declines it. A draw offer stays
    /// open when its proposer moves; other proposals end.
    pub(super) fn move_past_proposal(&mut self, mover: Side) {
        let Some(proposal) = &self.proposal else {
            return;
        };
        if proposal.awaited.contains(mover) {
            self.end_proposal(ProposalEnd::Declined);
        } else if proposal.what != Proposed::Draw {
            self.end_proposal(ProposalEnd::Withdrawn);
        }
    }

    /// Ends the open proposal, if there is one.
    pub(super) fn end_proposal(&mut self, end: ProposalEnd) {
        if self.proposal.take().is_some() {
            self.tell_all(TableEvent::ProposalEnded { end });
        }
    }
}
