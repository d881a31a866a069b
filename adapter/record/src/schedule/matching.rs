//! Perfect matchings of a graph, by Edmonds' blossom algorithm ("Paths, trees, and flowers", 1965).

use std::collections::VecDeque;

/// `true` if two vertices are adjacent; symmetric.
type IsEdge<'a> = &'a dyn Fn(usize, usize) -> bool;

/// A perfect matching of the remaining vertices. Pairs are removed one by one.
#[derive(Debug, Clone)]
pub(super) struct Matching {
    mates: Vec<Option<usize>>,
    /// `true` for vertices that have not been removed.
    is_left: Vec<bool>,
}

impl Matching {
    /// Computes a perfect matching of the vertices `0..n`; `None` if there is none.
    pub(super) fn perfect(n: usize, is_edge: IsEdge<'_>) -> Option<Matching> {
        let mut matching = Matching {
            mates: vec![None; n],
            is_left: vec![true; n],
        };
        let is_perfect =
            (0..n).all(|at| matching.mates[at].is_some() || matching.augment(at, is_edge));
        is_perfect.then_some(matching)
    }

    /// Removes a pair of vertices if the others can still be matched perfectly. Otherwise changes nothing.
    pub(super) fn fix(&mut self, a: usize, b: usize, is_edge: IsEdge<'_>) -> bool {
        let mut fixed = self.clone();
        let freed = [a, b].map(|vertex| {
            fixed.is_left[vertex] = false;
            fixed.mates[vertex].take()
        });
        for vertex in freed.into_iter().flatten() {
            fixed.mates[vertex] = None;
        }
        // The former mates are the only free vertices, so an augmenting path must connect them.
        let root = freed.into_iter().flatten().find(|at| fixed.is_left[*at]);
        let is_perfect = root.is_none_or(|root| fixed.augment(root, is_edge));
        if is_perfect {
            *self = fixed;
        }
        is_perfect
    }

    /// Adds a pair to the matching along an augmenting path from a free vertex. Returns `false` if there is no such
    /// path.
    fn augment(&mut self, root: usize, is_edge: IsEdge<'_>) -> bool {
        let Some((mut end, parents)) = Search::new(self, root, is_edge).path() else {
            return false;
        };
        loop {
            let parent = parents[end].expect("the path leads to the root");
            let next = self.mates[parent];
            self.mates[end] = Some(parent);
            self.mates[parent] = Some(end);
            match next {
                Some(next) => end = next,
                None => return true,
            }
        }
    }
}

/// A search for an augmenting path.
struct Search<'a> {
    matching: &'a Matching,
    is_edge: IsEdge<'a>,
    root: usize,
    /// The predecessor of each vertex at an odd distance from the root, and of vertices in blossoms.
    parents: Vec<Option<usize>>,
    /// The base of the blossom that contains the vertex.
    bases: Vec<usize>,
    /// Vertices at an even distance from the root.
    is_even: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'a> Search<'a> {
    fn new(matching: &'a Matching, root: usize, is_edge: IsEdge<'a>) -> Search<'a> {
        let n = matching.mates.len();
        let mut is_even = vec![false; n];
        is_even[root] = true;
        Search {
            matching,
            is_edge,
            root,
            parents: vec![None; n],
            bases: (0..n).collect(),
            is_even,
            queue: VecDeque::from([root]),
        }
    }

    /// The free vertex at the end of an augmenting path, and the predecessors that lead back to the root.
    fn path(mut self) -> Option<(usize, Vec<Option<usize>>)> {
        while let Some(from) = self.queue.pop_front() {
            for to in 0..self.bases.len() {
                let is_usable = self.matching.is_left[to]
                    && to != from
                    && self.bases[from] != self.bases[to]
                    && self.matching.mates[from] != Some(to)
                    && (self.is_edge)(from, to);
                if !is_usable {
                    continue;
                }
                let mate = self.matching.mates[to];
                let is_even =
                    to == self.root || mate.is_some_and(|mate| self.parents[mate].is_some());
                if is_even {
                    self.contract(from, to);
                } else if self.parents[to].is_none() {
                    self.parents[to] = Some(from);
                    match mate {
                        None => return Some((to, self.parents)),
                        Some(mate) => self.visit(mate),
                    }
                }
            }
        }
        None
    }

    fn visit(&mut self, vertex: usize) {
        if !self.is_even[vertex] {
            self.is_even[vertex] = true;
            self.queue.push_back(vertex);
        }
    }

    /// Contracts the blossom that is closed by an edge between two even vertices.
    fn contract(&mut self, from: usize, to: usize) {
        let base = self.common_base(from, to);
        let mut in_blossom = vec![false; self.bases.len()];
        self.mark(from, base, to, &mut in_blossom);
        self.mark(to, base, from, &mut in_blossom);
        for vertex in 0..self.bases.len() {
            if in_blossom[self.bases[vertex]] {
                self.bases[vertex] = base;
                self.visit(vertex);
            }
        }
    }

    /// The nearest common base on the paths of both vertices to the root.
    fn common_base(&self, a: usize, b: usize) -> usize {
        let way: Vec<usize> = self.bases_to_root(a).collect();
        let mut other = self.bases_to_root(b);
        other
            .find(|base| way.contains(base))
            .expect("both ways end at the root")
    }

    fn bases_to_root(&self, from: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(self.bases[from]), |&base| {
            let mate = self.matching.mates[base]?;
            Some(self.bases[self.parents[mate]?])
        })
    }

    /// Marks the blossoms on the path from a vertex to the base, and redirects the predecessors around the blossom.
    fn mark(&mut self, mut vertex: usize, base: usize, mut child: usize, marks: &mut [bool]) {
        while self.bases[vertex] != base {
            let mate = self.matching.mates[vertex].expect("only the root is free");
            marks[self.bases[vertex]] = true;
            marks[self.bases[mate]] = true;
            self.parents[vertex] = Some(child);
            child = mate;
            vertex = self.parents[mate].expect("the way leads to the root");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use fastrand::Rng;

    use super::*;

    /// `true` if a set of vertices has a perfect matching, by trying all pairings.
    fn can_pair(set: &[usize], is_edge: IsEdge<'_>) -> bool {
        let Some((first, others)) = set.split_first() else {
            return true;
        };
        (0..others.len()).any(|at| {
            let mut rest = others.to_vec();
            is_edge(*first, rest.remove(at)) && can_pair(&rest, is_edge)
        })
    }

    #[test]
    fn a_perfect_matching_is_found_if_there_is_one() {
        let mut rng = Rng::with_seed(1);
        let mut n_found = [0; 2];
        for _ in 0..2000 {
            let n = 2 * rng.usize(1..=5);
            let density = rng.usize(1..=6);
            let mut edges = HashSet::new();
            for pair in (0..n).flat_map(|a| (0..a).map(move |b| (b, a))) {
                if rng.usize(..10) < density {
                    edges.insert(pair);
                }
            }
            let is_edge = |a: usize, b: usize| edges.contains(&(a.min(b), a.max(b)));
            let mut left: Vec<usize> = (0..n).collect();
            let matching = Matching::perfect(n, &is_edge);
            let exists = can_pair(&left, &is_edge);
            assert_eq!(matching.is_some(), exists, "{edges:?}");
            n_found[usize::from(exists)] += 1;
            let Some(mut matching) = matching else {
                continue;
            };
            while let Some(first) = left.pop() {
                let partner = left.iter().position(|&at| {
                    let others: Vec<usize> = left.iter().copied().filter(|v| *v != at).collect();
                    let is_free = is_edge(first, at) && can_pair(&others, &is_edge);
                    let is_fixed = is_edge(first, at) && matching.clone().fix(first, at, &is_edge);
                    assert_eq!(is_fixed, is_free, "{edges:?}");
                    is_fixed
                });
                let partner = left.remove(partner.expect("the rest can be paired"));
                assert!(matching.fix(first, partner, &is_edge));
            }
        }
        assert!(n_found[0] > 100 && n_found[1] > 100, "{n_found:?}");
    }
}
