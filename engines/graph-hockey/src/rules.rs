//! The rules: legal moves, their effects, and the end of the game.
//!
//! There are three levels of legality; the first one that has any move applies. The tables in `geometry` give the moves
//! of each level; `legality` states the same rules independently, from the lines themselves.

use kit::hash::{hash, zobrist};
use kit::{Game, OptionDecl, Options, Outcome, Rejection, Side};

use crate::field::Field;
use crate::legality;
use crate::moves::{Move, N_MOVES};
use crate::position::{GraphHockey, Position, Undo};

impl Game for GraphHockey {
    const NAME: &'static str = "graph-hockey";
    type Position = Position;
    type Move = Move;
    type Undo = Undo;

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::spin("Side", 4, 1, Field::MAX_SIDE.into()),
            OptionDecl::spin("Gap", 8, 1, Field::MAX_GAP.into()),
        ]
    }

    fn new(options: &Options) -> GraphHockey {
        GraphHockey::on(Field {
            side: options.spin("Side") as i32,
            gap: options.spin("Gap") as i32,
        })
    }

    fn start(&self) -> Position {
        let board = &*self.board;
        let segment = board.field.initial_segment();
        let mut position = Position {
            path: Vec::new(),
            puck: segment.to,
            cells: vec![0; board.n_cells()],
            drawn: 0,
            idle: 0,
        };
        position.draw(board, board.cell(segment.from), Move::along(&segment));
        position
    }

    fn side(&self, position: &Position) -> Side {
        Side::BOTH[position.path.len() % 2]
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        self.field().scorer(position.puck).map(Outcome::Win)
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        moves.extend(self.level(position).1);
    }

    fn count_moves(&self, position: &Position) -> usize {
        self.level(position).1.len()
    }

    fn check(&self, position: &Position, mv: Move) -> Result<(), Rejection> {
        // The time to examine the lines grows with their number, so they are examined only to explain an error.
        if self.level(position).1.contains(mv) {
            return Ok(());
        }
        legality::check(self, position, mv)
    }

    fn play(&self, position: &mut Position, mv: Move) -> Undo {
        let (drawn, idle) = (position.drawn, position.idle);
        let new_pieces = position.draw(&self.board, self.board.cell(position.puck), mv);
        position.idle = if new_pieces == 0 { idle + 1 } else { 0 };
        position.puck = position.puck + mv.step();
        position.path.push(mv);
        Undo {
            drawn,
            idle,
            new_pieces,
        }
    }

    fn undo(&self, position: &mut Position, mv: Move, undo: Undo) {
        position.path.pop();
        position.puck = position.puck - mv.step();
        position.drawn = undo.drawn;
        position.idle = undo.idle;
        let at = self.board.cell(position.puck);
        position.erase(&self.board, at, mv, undo.new_pieces);
    }

    fn rules_key(&self) -> u64 {
        let Field { side, gap } = *self.field();
        hash([side as u64, gap as u64])
    }

    fn key(&self, position: &Position) -> u64 {
        let at = self.board.cell(position.puck) as u64;
        let turn = position.path.len() as u64 % 2;
        // The keys of pieces have lower indices.
        position.drawn ^ zobrist(1 << 32 | at << 1 | turn)
    }

    fn repetition_limit(&self) -> Option<usize> {
        Some(3)
    }

    fn reversible_plies(&self, position: &Position) -> usize {
        position.idle as usize
    }

    fn move_index(&self, mv: Move) -> usize {
        mv.index()
    }

    fn n_move_indices(&self) -> usize {
        N_MOVES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plane::GridPoint;
    use crate::position::Level;

    #[test]
    fn strangeness_may_run_along_an_outline() {
        let game = GraphHockey::on(Field { side: 4, gap: 8 });
        let mut position = game.start();
        position.puck = GridPoint::new(32, 4);
        position.cells.fill(u8::MAX);
        let (level, moves) = game.level(&position);
        assert_eq!(level, Level::Strangeness);
        let letters: String = moves.map(Move::letter).collect();
        assert_eq!(letters, "WERTYQUAISKDFGHJVZL");
    }

    #[test]
    fn what_is_drawn_decides_the_key_not_how() {
        let game = GraphHockey::on(Field { side: 4, gap: 8 });
        let key_after = |letters: &str| {
            let mut position = game.start();
            for mv in letters.chars().filter_map(Move::from_letter) {
                game.play(&mut position, mv);
            }
            game.key(&position)
        };
        assert_eq!(key_after("GGGGRRRR"), key_after("BV"));
        assert_ne!(key_after("GG"), key_after("BV"));
        assert_ne!(key_after("BVG"), key_after("BVGR"));
    }
}
