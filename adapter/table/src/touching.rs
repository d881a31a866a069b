//! Touch-move at the table: touching a piece, and the moves that remain.

use kit::diagram::{Role, Spot};
use kit::{Diagram, Side, View};
use protocol::text::excerpt;
use record::game::{GameResult, Termination};
use record::table::{ClientId, TableEvent, Turn};

use crate::error::{TableError, refuse};
use crate::journal::JournalEntry;
use crate::state::Table;
use crate::touch::{has_moving_pieces, moves_from, short};

impl Table {
    /// Switches touch-move on or off.
    pub(super) fn set_touch(&mut self, is_on: bool) -> Result<(), TableError> {
        if self.tree.n_nodes() > 1 {
            return refuse!("touch-move: the game has started: expected before its first move");
        }
        if is_on && !has_moving_pieces(&self.rules) {
            return refuse!("touch-move: no piece of {} ever moves", self.plan.game.name);
        }
        self.touch.is_on = is_on;
        self.note(&JournalEntry::TouchMove(is_on))?;
        self.clients.send_to_all(TableEvent::TouchMove { is_on });
        Ok(())
    }

    /// Touches a piece for the person to move. If the piece cannot move, the game is lost.
    pub(super) fn touch(&mut self, client: ClientId, text: &str) -> Result<(), TableError> {
        let side = match self.turn() {
            Turn::Person(side) if self.owns(client, self.seat_id(side)) => side,
            Turn::Person(side) => return Err(TableError::Refused(self.not_your_turn(side))),
            _ => return refuse!("touch: no person is to move"),
        };
        if !self.touch.is_on {
            return refuse!("touch: touch-move is off: expected touch on before the first move");
        }
        self.refuse_touched(text)?;
        let diagram = self.board().diagram(View::default());
        let Some(spot) = find_piece(&diagram, side, text) else {
            let text = excerpt(text);
            return refuse!("touch: {text:?}: expected the place of one of your pieces");
        };
        let spot = spot.id.clone();
        if moves_from(&diagram, &spot).next().is_none() {
            let name = self.seat(side).name();
            let reason = format!("{name} touched {}, which cannot move", short(&spot));
            let result = GameResult::win(side.other());
            return self.end_as(result, Termination::RulesInfraction, reason);
        }
        self.touch.touched = Some(spot.clone());
        self.note(&JournalEntry::Touched(spot.clone()))?;
        self.clients.send_to_all(TableEvent::Touched { side, spot });
        Ok(())
    }

    /// Returns an error if another piece was touched in this turn.
    fn refuse_touched(&self, text: &str) -> Result<(), TableError> {
        match &self.touch.touched {
            Some(spot) if !names(spot, text) => Err(TableError::Refused(self.must_move(spot))),
            _ => Ok(()),
        }
    }

    /// Returns an error if the move is by another piece than the touched one.
    pub(super) fn refuse_other_piece(&self, code: &str) -> Result<(), TableError> {
        let Some(spot) = &self.touch.touched else {
            return Ok(());
        };
        let diagram = self.board().diagram(View::default());
        if moves_from(&diagram, spot).any(|known| known == code) {
            return Ok(());
        }
        Err(TableError::Refused(self.must_move(spot)))
    }

    /// Returns an error if a piece is touched: then an engine may not move for the person.
    pub(super) fn refuse_engine_move(&self) -> Result<(), TableError> {
        match &self.touch.touched {
            Some(spot) => Err(TableError::Refused(self.must_move(spot))),
            None => Ok(()),
        }
    }

    fn must_move(&self, spot: &str) -> String {
        let diagram = self.board().diagram(View::default());
        let codes: Vec<&str> = moves_from(&diagram, spot).collect();
        let (spot, codes) = (short(spot), codes.join(" "));
        format!("{spot} is touched and must move: expected {codes}")
    }
}

/// The spot with a piece of this side that matches the text.
fn find_piece<'d>(diagram: &'d Diagram, side: Side, text: &str) -> Option<&'d Spot> {
    let is_own = |spot: &&Spot| has_piece(diagram, side, spot) && names(&spot.id, text);
    diagram.spots.iter().find(is_own)
}

/// Compares the text with a spot's id and short name.
fn names(id: &str, text: &str) -> bool {
    let is = |name: &str| name.eq_ignore_ascii_case(text.trim());
    is(id) || is(short(id))
}

fn has_piece(diagram: &Diagram, side: Side, spot: &Spot) -> bool {
    let is_own = |shape: &&kit::diagram::Shape| {
        let owner = shape.colour.map(|colour| diagram.owners[colour as usize]);
        shape.role == Role::Piece && owner == Some(side)
    };
    let mut pieces = diagram.shapes.iter().filter(is_own);
    pieces.any(|piece| spot.outline.bounds().contains(piece.form.bounds().centre()))
}
