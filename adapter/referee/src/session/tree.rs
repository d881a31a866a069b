//! The moves of a game with all their branches.
//!
//! Nodes are numbered as they are made, from 0, the beginning of the game. A node that was left for another branch stays,
//! with the way that led on from it.

use kit::{DynHistory, Rejection, Side};
use serde::{Deserialize, Serialize};

use crate::record::PlyRecord;

/// Who made a move, whoever's seat it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mover {
    /// A person.
    Person,
    /// An engine.
    Engine,
}

/// A move that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Ply {
    /// Its canonical code.
    pub code: String,
    /// Whose turn it was.
    pub side: Side,
    /// Who made it.
    pub by: Mover,
    /// What is known of it; `None` where it was not made here.
    pub record: Option<PlyRecord>,
}

#[derive(Debug, Clone)]
struct Node {
    parent: usize,
    /// `None` for the beginning alone.
    ply: Option<Ply>,
    children: Vec<usize>,
    /// The child that was last gone to.
    onward: Option<usize>,
}

/// All moves of a game that were tried, and where it stands.
#[derive(Debug, Clone)]
pub struct Tree {
    nodes: Vec<Node>,
    here: usize,
}

impl Default for Tree {
    fn default() -> Tree {
        let root = Node {
            parent: 0,
            ply: None,
            children: Vec::new(),
            onward: None,
        };
        Tree {
            nodes: vec![root],
            here: 0,
        }
    }
}

impl Tree {
    /// The node where the game stands.
    pub fn here(&self) -> usize {
        self.here
    }

    /// How many nodes there are, the beginning included.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes from the beginning, which is left out, to this one.
    pub fn path(&self, node: usize) -> Vec<usize> {
        let up = |&node: &usize| (node != 0).then(|| self.nodes[node].parent);
        let mut path: Vec<usize> = std::iter::successors(Some(node), up).collect();
        path.pop();
        path.reverse();
        path
    }

    /// The moves that lead to where the game stands.
    pub fn line(&self) -> impl Iterator<Item = &Ply> {
        self.path(self.here)
            .into_iter()
            .filter_map(|node| self.ply(node))
    }

    /// The move that leads to a node; `None` for the beginning.
    pub fn ply(&self, node: usize) -> Option<&Ply> {
        self.nodes[node].ply.as_ref()
    }

    /// The node that a node's move was made in; the beginning's is itself.
    pub fn parent(&self, node: usize) -> usize {
        self.nodes[node].parent
    }

    /// Where the game went on from a node the last time.
    pub fn onward(&self, node: usize) -> Option<usize> {
        self.nodes[node].onward
    }

    /// The node `n` moves back, or the beginning.
    pub fn behind(&self, n: usize) -> usize {
        (0..n).fold(self.here, |node, _| self.parent(node))
    }

    /// The node `n` moves on, or the end of the line.
    pub fn ahead(&self, n: usize) -> usize {
        (0..n).fold(self.here, |node, _| self.onward(node).unwrap_or(node))
    }

    /// Codes of the moves that were tried where the game stands.
    pub fn branches(&self) -> Vec<&str> {
        let code = |&child: &usize| self.ply(child).map(|ply| ply.code.as_str());
        self.nodes[self.here]
            .children
            .iter()
            .filter_map(code)
            .collect()
    }

    /// Whether moves were taken back, and there is a way on.
    pub fn is_behind(&self) -> bool {
        self.onward(self.here).is_some()
    }

    /// Goes to a node.
    pub fn go(&mut self, node: usize) {
        self.here = node;
        for child in self.path(node) {
            let parent = self.nodes[child].parent;
            self.nodes[parent].onward = Some(child);
        }
    }

    /// Makes a move where the game stands; whether it is a new one. A move that was tried before leads into its old
    /// branch, with what is known of it now.
    pub fn grow(&mut self, ply: Ply) -> bool {
        let children = &self.nodes[self.here].children;
        let is_same = |&&child: &&usize| self.ply(child).is_some_and(|old| old.code == ply.code);
        let known = children.iter().find(is_same).copied();
        let node = known.unwrap_or(self.nodes.len());
        match known {
            Some(known) => self.nodes[known].ply = Some(ply),
            None => self.add(ply),
        }
        self.go(node);
        known.is_none()
    }

    /// The same moves as the rules write them, each with the side that made it. `board` stands where they begin; a
    /// refusal names the first that is not legal.
    pub fn settled(mut self, board: &dyn DynHistory) -> Result<Tree, Rejection> {
        let mut boards = vec![board.fork()];
        for node in 1..self.nodes.len() {
            let mut after = boards[self.nodes[node].parent].fork();
            if let Some(ply) = &mut self.nodes[node].ply {
                ply.side = after.side();
                ply.code = after.play(&ply.code)?;
            }
            boards.push(after);
        }
        Ok(self)
    }

    fn add(&mut self, ply: Ply) {
        let number = self.nodes.len();
        self.nodes[self.here].children.push(number);
        self.nodes.push(Node {
            parent: self.here,
            ply: Some(ply),
            children: Vec::new(),
            onward: None,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ply(code: &str) -> Ply {
        Ply {
            code: code.to_owned(),
            side: Side::P1,
            by: Mover::Person,
            record: None,
        }
    }

    fn tree(codes: &str) -> Tree {
        let mut tree = Tree::default();
        for code in codes.split(' ') {
            tree.grow(ply(code));
        }
        tree
    }

    fn line(tree: &Tree) -> String {
        let codes: Vec<&str> = tree.line().map(|ply| ply.code.as_str()).collect();
        codes.join(" ")
    }

    #[test]
    fn back_and_forward_end_at_the_ends() {
        let mut tree = tree("a b c");
        tree.go(tree.behind(2));
        assert_eq!(line(&tree), "a");
        tree.go(tree.ahead(1));
        assert_eq!(line(&tree), "a b");
        tree.go(tree.ahead(9));
        assert_eq!(line(&tree), "a b c");
        tree.go(tree.behind(9));
        assert_eq!((tree.here(), tree.is_behind()), (0, true));
    }

    #[test]
    fn another_move_begins_a_branch_and_the_old_one_is_kept() {
        let mut tree = tree("a b c");
        tree.go(tree.behind(2));
        assert!(tree.grow(ply("x")));
        assert_eq!((line(&tree).as_str(), tree.is_behind()), ("a x", false));
        tree.go(tree.behind(1));
        assert_eq!(tree.branches(), ["b", "x"]);
        assert!(!tree.grow(ply("b")), "it was tried before");
        tree.go(tree.ahead(1));
        assert_eq!(line(&tree), "a b c");
    }
}
