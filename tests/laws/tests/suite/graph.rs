//! A game on a random graph with few positions, so that lines of play transpose and repeat.
//!
//! [`Graph::new`] generates the graph. [`Graph::solve`] computes the exact value of any position with any history, to
//! test searches against.

use kit::hash::mix;
use kit::search::{Control, Limits, Progress, Request, Searcher};
use kit::{
    Bench, BenchLimit, DrawRequest, DynHistory, Engine, Evaluate, Game, Notation, OptionDecl,
    Options, Outcome, PositionHistory, Rejection, Setup, Side, Value,
};
use std::collections::HashMap;
use std::sync::Arc;

/// The parameters of a random graph.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) seed: u64,
    pub(crate) n_vertices: u16,
    /// Maximum number of moves from a vertex; the minimum is 1.
    pub(crate) max_moves: u16,
    /// One vertex in this many ends the game.
    pub(crate) end_rate: u64,
    /// The number of occurrences at which a position draws.
    pub(crate) repetition: Option<usize>,
    /// Number of consecutive quiet moves that draw; `None` if they are not counted. If they are, the graph has
    /// [`N_LAYERS`] layers: a move within a layer is quiet, and no move leads back to an earlier layer.
    pub(crate) quiet_limit: Option<u8>,
    /// If set, the vertices are in sections of this size, and all moves to a vertex come from one section.
    pub(crate) section_size: Option<u16>,
    /// `true` if `win_in_one` finds wins.
    pub(crate) sees_wins: bool,
}

impl Shape {
    /// A graph of 24 vertices in which the third occurrence draws. The seed also decides whether quiet moves are
    /// counted, and whether wins in one are found.
    pub(crate) fn small(seed: u64) -> Shape {
        Shape {
            seed,
            n_vertices: 24,
            max_moves: 4,
            end_rate: 6,
            repetition: Some(3),
            quiet_limit: seed.is_multiple_of(3).then_some(5),
            section_size: None,
            sees_wins: seed.is_multiple_of(2),
        }
    }
}

/// The game on one graph.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    pub(crate) shape: Shape,
    vertices: Arc<[Vertex]>,
}

#[derive(Debug)]
struct Vertex {
    outcome: Option<Outcome>,
    /// The vertices that moves lead to, in ascending order.
    next: Vec<u16>,
    /// Static score from player 1's point of view.
    score: i32,
    layer: u16,
}

/// Number of layers of a graph with counted quiet moves. As in real games, a move that resets the counter cannot be
/// undone.
pub(crate) const N_LAYERS: u16 = 3;

/// A vertex, the side to move, and the number of consecutive quiet moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) vertex: u16,
    pub(crate) side: Side,
    pub(crate) quiet: u8,
}

impl Graph {
    pub(crate) fn new(shape: Shape) -> Graph {
        let mut rng = fastrand::Rng::with_seed(shape.seed);
        let n = shape.n_vertices;
        let layer_size = match shape.quiet_limit {
            Some(_) => n.div_ceil(N_LAYERS),
            None => n,
        };
        let mut vertex = |number: u16| {
            let layer = number / layer_size;
            let is_end = number > 0 && rng.u64(..shape.end_rate) == 0;
            let outcomes = [
                Outcome::Draw,
                Outcome::Win(Side::P1),
                Outcome::Win(Side::P2),
            ];
            let n_moves = rng.u16(1..=shape.max_moves);
            let mut next: Vec<u16> = (0..n_moves)
                .map(|_| rng.u16(layer * layer_size..n))
                .collect();
            next.sort_unstable();
            next.dedup();
            Vertex {
                outcome: is_end.then(|| outcomes[rng.usize(..3)]),
                next,
                score: rng.i32(-200..=200),
                layer,
            }
        };
        let mut vertices: Vec<Vertex> = (0..n).map(&mut vertex).collect();
        if let Some(size) = shape.section_size {
            move_from_one_section(&mut vertices, size, &mut rng);
        }
        Graph {
            shape,
            vertices: vertices.into(),
        }
    }

    /// The same graph, but not declared to have sections.
    pub(crate) fn without_sections(mut self) -> Graph {
        self.shape.section_size = None;
        self
    }

    /// The layer and the number of quiet moves of a place: with counted quiet moves, each move raises them.
    pub(crate) fn progress(&self, place: &Place) -> (u16, u8) {
        (self.vertex(place).layer, place.quiet)
    }

    fn vertex(&self, place: &Place) -> &Vertex {
        &self.vertices[usize::from(place.vertex)]
    }

    /// The exact value of a move for the player who makes it.
    pub(crate) fn value_of_move(history: &PositionHistory<Graph>, mv: u16) -> Value {
        let mut after = history.clone();
        after.play(mv);
        let value = match after.outcome() {
            Some(outcome) => Value::of(outcome, history.side()),
            None => Graph::solve(&after).flipped(),
        };
        value.before_move()
    }

    /// A random game of up to `plies` moves that is not over.
    pub(crate) fn random_game(
        &self,
        plies: usize,
        rng: &mut fastrand::Rng,
    ) -> PositionHistory<Graph> {
        let mut history = PositionHistory::start(self.clone());
        for _ in 0..plies {
            history.play(*rng.choice(&history.moves()).expect("a move"));
            if history.outcome().is_some() {
                history.undo();
                break;
            }
        }
        history
    }

    /// The exact value of a game that is not over, by retrograde analysis.
    ///
    /// A shortest forced win repeats no position. Repetition therefore matters only for positions whose next occurrence
    /// draws: they are treated as ends of the game.
    pub(crate) fn solve(history: &PositionHistory<Graph>) -> Value {
        let (game, root) = (history.game(), *history.position());
        let mut counts = vec![[0; 2]; game.vertices.len()];
        let mut earlier = history.clone();
        loop {
            let place = earlier.position();
            counts[usize::from(place.vertex)][place.side.index()] += 1;
            if earlier.undo().is_none() {
                break;
            }
        }
        let is_drawn = |place: &Place| {
            let count = counts[usize::from(place.vertex)][place.side.index()];
            let limit = game.shape.repetition;
            count > 0 && limit.is_some_and(|limit| count + 1 >= limit)
        };
        let mut values: HashMap<Place, Option<Value>> = HashMap::new();
        let mut open = vec![root];
        while let Some(place) = open.pop() {
            for next in game.next(&place) {
                if values.contains_key(&next) {
                    continue;
                }
                let value = match game.outcome(&next) {
                    Some(Outcome::Draw) => Some(Value::Draw),
                    Some(Outcome::Win(side)) if side == next.side => Some(Value::Win(0)),
                    Some(Outcome::Win(_)) => Some(Value::Loss(0)),
                    None => is_drawn(&next).then_some(Value::Draw),
                };
                values.insert(next, value);
                if value.is_none() {
                    open.push(next);
                }
            }
        }
        // After round n, all ends within n plies are known. A round without one is the last.
        for plies in 1.. {
            let unknown = values.iter().filter(|(_, value)| value.is_none());
            let found: Vec<(Place, Value)> = unknown
                .filter_map(|(&place, _)| {
                    Some((place, game.value_from_next(&place, &values, plies)?))
                })
                .collect();
            if let Some(value) = game.value_from_next(&root, &values, plies) {
                return value;
            }
            if found.is_empty() {
                break;
            }
            values.extend(found.into_iter().map(|(place, value)| (place, Some(value))));
        }
        Value::Draw
    }

    /// The positions after each move.
    pub(crate) fn next(&self, place: &Place) -> Vec<Place> {
        let mut after = *place;
        let to = |&vertex: &u16| {
            after = *place;
            self.play(&mut after, vertex);
            after
        };
        self.vertex(place).next.iter().map(to).collect()
    }

    /// A win or loss in exactly `plies`, if all ends within fewer plies are known.
    fn value_from_next(
        &self,
        place: &Place,
        values: &HashMap<Place, Option<Value>>,
        plies: u32,
    ) -> Option<Value> {
        let next: Vec<Option<Value>> = self.next(place).iter().map(|next| values[next]).collect();
        if next.contains(&Some(Value::Loss(plies - 1))) {
            return Some(Value::Win(plies));
        }
        let wins = |value: &Option<Value>| matches!(value, Some(Value::Win(n)) if *n < plies);
        next.iter().all(wins).then_some(Value::Loss(plies))
    }
}

/// Replaces the moves so that those to one vertex come from one section, some of them from its first vertex. A vertex
/// without moves ends the game; the first vertex has one.
fn move_from_one_section(vertices: &mut [Vertex], size: u16, rng: &mut fastrand::Rng) {
    vertices.iter_mut().for_each(|vertex| vertex.next.clear());
    let n = vertices.len() as u16;
    for to in 0..n {
        let first = if to == 0 {
            0
        } else {
            rng.u16(..n / size) * size
        };
        for from in first..first + size {
            if from == first || rng.u16(..size) < 2 {
                vertices[usize::from(from)].next.push(to);
            }
        }
    }
    for vertex in vertices.iter_mut().filter(|vertex| vertex.next.is_empty()) {
        let winner = Outcome::Win(*rng.choice(&Side::BOTH).expect("a side"));
        vertex.outcome = vertex.outcome.or(Some(winner));
    }
}

impl Game for Graph {
    const NAME: &'static str = "graph";
    type Position = Place;
    /// The target vertex.
    type Move = u16;
    type Undo = Place;

    fn options() -> Vec<OptionDecl> {
        Vec::new()
    }
    fn new(_: &Options) -> Graph {
        Graph::new(Shape::small(0))
    }
    fn start(&self) -> Place {
        Place {
            vertex: 0,
            side: Side::P1,
            quiet: 0,
        }
    }
    fn side(&self, place: &Place) -> Side {
        place.side
    }
    fn outcome(&self, place: &Place) -> Option<Outcome> {
        let limit = self.shape.quiet_limit;
        let is_drawn = limit.is_some_and(|limit| place.quiet >= limit);
        let outcome = self.vertex(place).outcome;
        outcome.or(is_drawn.then_some(Outcome::Draw))
    }
    fn moves(&self, place: &Place, moves: &mut Vec<u16>) {
        moves.extend(&self.vertex(place).next);
    }
    fn check(&self, place: &Place, mv: u16) -> Result<(), Rejection> {
        match self.vertex(place).next.contains(&mv) {
            true => Ok(()),
            false => Err("no such edge".into()),
        }
    }
    fn play(&self, place: &mut Place, mv: u16) -> Place {
        let before = *place;
        let layer = self.vertices[usize::from(mv)].layer;
        let is_quiet = self.shape.quiet_limit.is_some() && layer == self.vertex(&before).layer;
        *place = Place {
            vertex: mv,
            side: before.side.other(),
            quiet: if is_quiet { before.quiet + 1 } else { 0 },
        };
        before
    }
    fn undo(&self, place: &mut Place, _: u16, before: Place) {
        *place = before;
    }
    fn key(&self, place: &Place) -> u64 {
        let side = place.side.index() as u64;
        mix(self.shape.seed << 32 | u64::from(place.vertex) << 1 | side)
    }
    /// The counter is mixed in by multiplication, as in the games.
    fn search_key(&self, place: &Place) -> u64 {
        self.key(place) ^ u64::from(place.quiet).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
    fn repetition_limit(&self) -> Option<usize> {
        self.shape.repetition
    }
    fn move_index(&self, mv: u16) -> usize {
        mv.into()
    }
    fn n_move_indices(&self) -> usize {
        self.vertices.len()
    }
}

/// Moves are the numbers of their vertices. Positions are not read, and a graph cannot be drawn.
impl Notation for Graph {
    fn shape(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
    fn format_move(&self, _: &Place, mv: u16) -> String {
        mv.to_string()
    }
    fn parse_move(&self, _: &Place, code: &str) -> Result<u16, Rejection> {
        code.parse().map_err(|_| "no vertex".into())
    }
    fn format_position(&self, place: &Place) -> String {
        format!("{place:?}")
    }
    fn parse_position(&self, _: &str) -> Result<Setup<Graph>, Rejection> {
        Err("positions are not read".into())
    }
    fn explain(&self, _: &Place, _: Option<Outcome>) -> Option<String> {
        None
    }
    fn board(&self, _: &DrawRequest<Graph>) -> draw::Board {
        panic!("a graph cannot be drawn")
    }
}

impl Engine for Graph {
    const AUTHOR: &'static str = "Jane Doe";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(1),
        positions: "",
    };
}

impl Evaluate for Graph {
    type Sums = ();
    fn evaluate(&self, place: &Place, (): &()) -> i32 {
        let score = self.vertex(place).score;
        match place.side {
            Side::P1 => score,
            Side::P2 => -score,
        }
    }
    fn win_in_one(&self, place: &Place) -> Option<u16> {
        let wins = |after: &Place| self.outcome(after) == Some(Outcome::Win(place.side));
        let found = self.next(place).into_iter().find(wins);
        found
            .filter(|_| self.shape.sees_wins)
            .map(|after| after.vertex)
    }
}

/// The result of a search with this limit of nodes.
pub(crate) fn search(
    searcher: &mut Searcher,
    history: &PositionHistory<Graph>,
    nodes: u64,
    n_lines: usize,
) -> Progress {
    let limits = Limits::nodes(nodes);
    let request = Request {
        n_lines,
        ..Request::new(DynHistory::moves(history), limits)
    };
    searcher.search(history, &request, &Control::default(), &mut |_| {})
}
