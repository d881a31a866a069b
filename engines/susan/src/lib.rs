//! x
#![allow(missing_docs)]
mod cells;
use cells::Cells;
use kit::*;
use std::sync::Arc;

#[derive(Debug, Clone, PartialEq)]
pub struct Position {
    stones: [Cells; 2],
    empty: Cells,
    side: Side,
    slides: u8,
    outcome: Option<Outcome>,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    from: u8,
    to: u8,
}
const NONE: u8 = 255;
#[derive(Clone)]
pub struct Susan {
    t: Arc<Tables>,
    limit: u8,
}
#[derive(Debug)]
pub struct Tables {
    n: usize,
    near: Vec<Cells>,
    rows: Vec<(usize, usize)>,
}

impl Game for Susan {
    const NAME: &'static str = "susan";
    type Position = Position;
    type Move = Move;
    type Undo = (u8, Option<Outcome>);
    fn options() -> Vec<OptionDecl> {
        vec![]
    }
    fn new(_: &Options) -> Self {
        let s = 5i32;
        let mut cells = vec![];
        let mut rows = vec![];
        for r in -(s - 1)..=(s - 1) {
            rows.push((cells.len(), 0));
            for q in -(s - 1)..=(s - 1) {
                let z: i32 = -r - q;
                if z.abs() < s {
                    cells.push((r, q));
                }
            }
        }
        let near = cells
            .iter()
            .map(|&(r, q)| {
                let mut set = Cells::default();
                for (dr, dq) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)] {
                    if let Some(i) = cells.iter().position(|&c| c == (r + dr, q + dq)) {
                        set.flip(i as u8)
                    }
                }
                set
            })
            .collect();
        Susan {
            t: Arc::new(Tables {
                n: cells.len(),
                near,
                rows,
            }),
            limit: 6,
        }
    }
    fn start(&self) -> Position {
        let mut empty = Cells::default();
        for i in 0..self.t.n {
            empty.flip(i as u8)
        }
        Position {
            stones: Default::default(),
            empty,
            side: Side::P1,
            slides: 0,
            outcome: None,
        }
    }
    #[inline]
    fn side(&self, p: &Position) -> Side {
        p.side
    }
    #[inline]
    fn outcome(&self, p: &Position) -> Option<Outcome> {
        p.outcome
    }
    #[inline]
    fn moves(&self, p: &Position, moves: &mut Vec<Move>) {
        p.empty.for_each(|to| moves.push(Move { from: NONE, to }));
        p.stones[p.side.index()].for_each(|from| {
            self.t.near[from as usize]
                .and(&p.empty)
                .for_each(|to| moves.push(Move { from, to }))
        });
    }
    fn count_moves(&self, p: &Position) -> usize {
        let mut n = p.empty.len();
        p.stones[p.side.index()]
            .for_each(|from| n += self.t.near[from as usize].and(&p.empty).len());
        n
    }
    fn check(&self, _: &Position, _: Move) -> Result<(), Refusal> {
        Ok(())
    }
    #[inline]
    fn play(&self, p: &mut Position, mv: Move) -> Self::Undo {
        let undo = (p.slides, p.outcome);
        let me = p.side.index();
        p.empty.flip(mv.to);
        p.stones[me].flip(mv.to);
        if mv.from == NONE {
            p.slides = 0
        } else {
            p.slides += 1;
            p.stones[me].flip(mv.from);
            p.empty.flip(mv.from);
        }
        let near = &self.t.near[mv.to as usize];
        let crowd = near.minus(&p.empty);
        let mut lost = !near.meets(&p.empty);
        let mut won = false;
        crowd.for_each(|c| {
            if !self.t.near[c as usize].meets(&p.empty) {
                if p.stones[me].has(c) {
                    lost = true
                } else {
                    won = true
                }
            }
        });
        p.outcome = if lost {
            Some(Outcome::Win(p.side.other()))
        } else if won {
            Some(Outcome::Win(p.side))
        } else if self.limit > 0 && p.slides >= self.limit {
            Some(Outcome::Draw)
        } else {
            None
        };
        p.side = p.side.other();
        undo
    }
    #[inline]
    fn undo(&self, p: &mut Position, mv: Move, undo: Self::Undo) {
        p.side = p.side.other();
        let me = p.side.index();
        p.empty.flip(mv.to);
        p.stones[me].flip(mv.to);
        if mv.from != NONE {
            p.stones[me].flip(mv.from);
            p.empty.flip(mv.from);
        }
        (p.slides, p.outcome) = undo;
    }
    fn key(&self, _: &Position) -> u64 {
        0
    }
    fn move_index(&self, _: Move) -> usize {
        0
    }
    fn n_move_indices(&self) -> usize {
        1
    }
}
