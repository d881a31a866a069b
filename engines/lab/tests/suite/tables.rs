//! Tables of random graphs: solved both ways, written, read, probed, verified, damaged and stopped.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use kit::Value;
use kit::dyn_history::erased;
use kit::tablebase::{
    Indexing, InitialValue, MoveGraph, PredecessorBlock, Successor, TableError, TableInfo,
    Tablebase, Tabulated, Walker,
};
use kit::{Game, PositionHistory, Rejection, Side};

use lab::parallel::Threads;
use lab::tablebase::{BuildError, CheckedPositions, VerifyError, build, verify};

use crate::graph::{Graph, Place, Shape};

/// The index of each place. With sections, each section has the places of one player at the vertices of one section of
/// the graph. With counted quiet moves, there are layers.
#[derive(Debug)]
pub(crate) struct Places {
    game: Graph,
    places: Vec<Place>,
    numbers: HashMap<Place, u64>,
    before: Vec<Vec<u64>>,
}

/// `true` if finished games have indices; otherwise moves lead to ends.
fn numbers_ends(game: &Graph) -> bool {
    game.shape.seed % 4 < 2
}

impl Places {
    pub(crate) fn new(game: &Graph) -> Places {
        let (n, size) = (game.shape.n_vertices, game.shape.section_size);
        let size = size.unwrap_or(n);
        let mut places = Vec::new();
        for section in 0..n / size {
            for quiet in 0..game.shape.quiet_limit.unwrap_or(1) {
                for side in Side::BOTH {
                    let vertices = section * size..(section + 1) * size;
                    places.extend(vertices.map(|vertex| Place {
                        vertex,
                        side,
                        quiet,
                    }));
                }
            }
        }
        if game.shape.quiet_limit.is_some() {
            places.sort_by_key(|place| Reverse(game.progress(place)));
        }
        let numbers: HashMap<Place, u64> = places.iter().copied().zip(0..).collect();
        let mut before = vec![Vec::new(); places.len()];
        for (place, number) in places.iter().zip(0..) {
            if game.outcome(place).is_none() {
                for next in game.next(place) {
                    if let Some(&next) = numbers.get(&next) {
                        before[next as usize].push(number);
                    }
                }
            }
        }
        Places {
            game: game.clone(),
            places,
            numbers,
            before,
        }
    }

    /// The first index of the section that contains the predecessors of an index.
    fn first_before(&self, number: u64) -> Option<u64> {
        let size = self.section_size().expect("sections");
        let before = self.before[number as usize].first()?;
        Some(before / size * size)
    }

    fn ending(&self, place: &Place, side: Side) -> Option<Value> {
        let outcome = self.game.outcome(place)?;
        Some(Value::of(outcome, side))
    }
}

impl Indexing<Graph> for Places {
    fn options(&self) -> Vec<(&'static str, String)> {
        vec![("Seed", self.game.shape.seed.to_string())]
    }
    fn n_indices(&self) -> u64 {
        self.places.len() as u64
    }
    fn index(&self, place: &Place) -> Option<u64> {
        let number = *self.numbers.get(place)?;
        self.position(number).and(Some(number))
    }
    fn position(&self, number: u64) -> Option<Place> {
        let place = self.places[number as usize];
        let is_used = numbers_ends(&self.game) || self.game.outcome(&place).is_none();
        is_used.then_some(place)
    }
    fn n_bytes(&self) -> u64 {
        (self.places.len() * size_of::<Place>()) as u64
    }
}

impl MoveGraph for Places {
    type Walker<'a> = &'a Places;

    fn walker(&self) -> &Places {
        self
    }
    fn layers(&self) -> Vec<u64> {
        if self.game.shape.quiet_limit.is_none() {
            return Vec::new();
        }
        let is_same = |a: &Place, b: &Place| self.game.progress(a) == self.game.progress(b);
        let layers = self.places.chunk_by(is_same);
        let ends = layers.scan(0, |end, layer| {
            *end += layer.len() as u64;
            Some(*end)
        });
        ends.collect()
    }
    fn section_size(&self) -> Option<u64> {
        self.game.shape.section_size.map(u64::from)
    }
}

impl Walker for &Places {
    fn initial_value(&mut self, number: u64) -> InitialValue {
        let Some(place) = self.position(number) else {
            return InitialValue::Unused;
        };
        if let Some(value) = self.ending(&place, place.side) {
            return InitialValue::Known(value);
        }
        let next = self.game.next(&place);
        let ends: Vec<Value> = next
            .iter()
            .filter_map(|next| self.ending(next, place.side))
            .collect();
        if ends.contains(&Value::Win(0)) {
            InitialValue::Known(Value::Win(1))
        } else if ends.len() < next.len() {
            InitialValue::Open
        } else if ends.contains(&Value::Draw) {
            InitialValue::Known(Value::Draw)
        } else {
            InitialValue::Known(Value::Loss(1))
        }
    }
    fn successors(&mut self, number: u64, mut visit: impl FnMut(Successor) -> ControlFlow<()>) {
        let place = self.places[number as usize];
        for next in self.game.next(&place) {
            let ending = self.ending(&next, place.side);
            let counted_out = !self.numbers.contains_key(&next);
            let successor = match ending {
                Some(ending) if counted_out || !numbers_ends(&self.game) => Successor::End(ending),
                _ => Successor::To(self.numbers[&next]),
            };
            if visit(successor).is_break() {
                return;
            }
        }
    }
    /// The item is the vertex; it identifies the index, because the player is the one who does not move in the section.
    fn predecessor_block(&mut self, number: u64) -> PredecessorBlock {
        let place = self.places[number as usize];
        let first = self.first_before(number).unwrap_or_else(|| {
            let other = Place {
                vertex: 0,
                side: place.side.other(),
                quiet: 0,
            };
            self.numbers[&other]
        });
        let size = u64::from(self.game.shape.section_size.expect("sections"));
        PredecessorBlock {
            section: (first / size) as u32,
            item: place.vertex,
        }
    }
    fn predecessors_in(&mut self, block_before: PredecessorBlock, mut visit: impl FnMut(u16)) {
        let size = u64::from(self.game.shape.section_size.expect("sections"));
        let first = u64::from(block_before.section) * size;
        let place = Place {
            vertex: block_before.item,
            side: self.places[first as usize].side.other(),
            quiet: 0,
        };
        for before in &self.before[self.numbers[&place] as usize] {
            visit((before - first) as u16);
        }
    }
}

impl Tabulated for Graph {
    type Graph = Places;

    fn graph(&self) -> Result<Places, Rejection> {
        match self.shape.max_moves {
            0 => Err("no moves: expected some".into()),
            _ => Ok(Places::new(self)),
        }
    }
}

/// Graphs of several sizes; every third one counts quiet moves.
pub(crate) fn graphs(n: u64) -> impl Iterator<Item = Graph> {
    (0..n).map(|seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        Graph::new(Shape {
            n_vertices: rng.u16(6..60),
            max_moves: rng.u16(2..5),
            end_rate: rng.u64(4..16),
            ..Shape::small(seed)
        })
    })
}

/// Graphs of several sizes that are solved by sections.
pub(crate) fn graphs_in_sections(n: u64) -> impl Iterator<Item = Graph> {
    (0..n).map(|seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let size = rng.u16(3..12);
        Graph::new(Shape {
            n_vertices: rng.u16(2..8) * size,
            end_rate: rng.u64(6..30),
            quiet_limit: None,
            section_size: Some(size),
            ..Shape::small(seed)
        })
    })
}

/// A folder for one test, removed at its end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let name = format!("linesman-tables-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a folder");
        Folder(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The names of its files.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a folder");
        let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("UTF-8");
        let mut names: Vec<String> = entries
            .map(|entry| name(entry.expect("an entry")))
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn two_threads(stop: &AtomicBool) -> Threads<'_> {
    Threads { count: 2, stop }
}

pub(crate) fn build_at(game: &Graph, path: &Path) -> Result<TableInfo, BuildError> {
    build(
        game,
        path,
        two_threads(&AtomicBool::new(false)),
        &mut |_| {},
    )
}

pub(crate) fn open(game: &Graph, path: &Path) -> Result<Tablebase, TableError> {
    Tablebase::open(erased(game, Box::new(Places::new(game))), path)
}

/// Verifies a table. Returns the number of positions.
pub(crate) fn verified(
    game: &Graph,
    table: &Tablebase,
    sample: CheckedPositions,
) -> Result<u64, VerifyError> {
    let places = Places::new(game);
    let stop = AtomicBool::new(false);
    let threads = two_threads(&stop);
    verify(game, &places, table.file(), sample, threads, &mut |_, _| {})
}

fn value(table: &Tablebase, game: &Graph, place: Place) -> Value {
    let history = PositionHistory::new(game.clone(), place);
    let value = table.value(&history).expect("a sound file");
    value.expect("the table holds all")
}

/// The value of a position without history, by an independent solver.
fn truth(game: &Graph, place: Place) -> Value {
    Graph::solve(&PositionHistory::new(game.clone(), place))
}

#[test]
fn tables_of_all_kinds_agree_with_another_solver() {
    let folder = Folder::new("orders");
    let mut n_decided = [0; 3];
    for game in graphs(40).chain(graphs_in_sections(40)) {
        let path = folder.file("table");
        let info = build_at(&game, &path).expect("a table");
        let table = open(&game, &path).expect("a table");
        let places = Places::new(&game);
        for place in &places.places {
            if game.outcome(place).is_some() {
                continue;
            }
            let truth = truth(&game, *place);
            let found = value(&table, &game, *place);
            assert_eq!(found, truth, "{place:?} of {:?}", game.shape);
            let shape = &game.shape;
            let kind = match (shape.section_size, shape.quiet_limit) {
                (None, None) => 0,
                (None, Some(_)) => 1,
                (Some(_), _) => 2,
            };
            n_decided[kind] += usize::from(truth != Value::Draw);
        }
        assert_eq!(info.start, truth(&game, game.start()));
        assert_eq!(table.file().info(), &info, "what was written reads back");
        let numbers = 0..places.places.len() as u64;
        let n_positions = numbers.filter_map(|number| places.position(number)).count();
        let counts = info.counts;
        assert_eq!(counts.won + counts.lost + counts.drawn, n_positions as u64);
        let n = verified(&game, &table, CheckedPositions::All);
        assert_eq!(n.expect("right"), info.identity.n_indices);
        fs::remove_file(path).expect("a file");
    }
    assert!(n_decided.iter().all(|&n| n > 300), "{n_decided:?}");
}

#[test]
fn graphs_with_layers_and_with_sections_keep_the_law() {
    for game in graphs(12).chain(graphs_in_sections(12)) {
        laws::check_indexing(&game, 200);
    }
}
