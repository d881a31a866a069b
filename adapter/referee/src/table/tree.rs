//! The moves of a game with their branches, and the node where the game stands.

use kit::{DynHistory, Rejection, Side};
use serde::{Deserialize, Serialize};

use crate::record::PlyRecord;

/// A node of a tree: 0 is the position after the opening, the others count up as they are made. A node is never removed.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct NodeId(pub usize);

impl NodeId {
    /// Where the tree begins.
    pub const ROOT: NodeId = NodeId(0);
}

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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ply {
    /// Its canonical code.
    pub code: String,
    /// Whose turn it was.
    pub side: Side,
    /// Who made it.
    pub by: Mover,
    /// What is known of it; `None` where it was not made here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<PlyRecord>,
}

#[derive(Debug, Clone, PartialEq)]
struct Node {
    parent: NodeId,
    /// `None` for the root alone.
    ply: Option<Ply>,
    children: Vec<NodeId>,
    /// The child that the game went to last.
    next: Option<NodeId>,
}

/// All moves of a game that were tried, and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "FlatTree", into = "FlatTree")]
pub struct Tree {
    nodes: Vec<Node>,
    here: NodeId,
}

impl Default for Tree {
    fn default() -> Tree {
        let root = Node {
            parent: NodeId::ROOT,
            ply: None,
            children: Vec::new(),
            next: None,
        };
        Tree {
            nodes: vec![root],
            here: NodeId::ROOT,
        }
    }
}

impl Tree {
    /// The node where the game stands.
    pub fn here(&self) -> NodeId {
        self.here
    }

    /// How many nodes there are, the root included.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is such a node.
    pub fn contains(&self, node: NodeId) -> bool {
        node.0 < self.nodes.len()
    }

    /// The nodes from the root, which is left out, to this one.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let up = |&node: &NodeId| (node != NodeId::ROOT).then(|| self.parent(node));
        let mut path: Vec<NodeId> = std::iter::successors(Some(node), up).collect();
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

    /// The move that leads to a node; `None` for the root.
    pub fn ply(&self, node: NodeId) -> Option<&Ply> {
        self.nodes[node.0].ply.as_ref()
    }

    /// The node that a node's move was made in; the root's is the root.
    pub fn parent(&self, node: NodeId) -> NodeId {
        self.nodes[node.0].parent
    }

    /// The nodes of the moves that were tried in a node, the oldest first.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        &self.nodes[node.0].children
    }

    /// The child to which the game went last from a node.
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.0].next
    }

    /// The node `n` moves back, or the root.
    pub fn back(&self, n: usize) -> NodeId {
        let n = n.min(self.nodes.len());
        (0..n).fold(self.here, |node, _| self.parent(node))
    }

    /// The node `n` moves forward, or the end of the line.
    pub fn forward(&self, n: usize) -> NodeId {
        let n = n.min(self.nodes.len());
        (0..n).fold(self.here, |node, _| self.next(node).unwrap_or(node))
    }

    /// Codes of the moves that were tried where the game stands.
    pub fn branches(&self) -> Vec<&str> {
        let code = |&child: &NodeId| self.ply(child).map(|ply| ply.code.as_str());
        self.children(self.here).iter().filter_map(code).collect()
    }

    /// Whether moves follow where the game stands.
    pub fn is_behind(&self) -> bool {
        self.next(self.here).is_some()
    }

    /// Goes to a node.
    pub fn go(&mut self, node: NodeId) {
        self.here = node;
        for child in self.path(node) {
            let parent = self.parent(child);
            self.nodes[parent.0].next = Some(child);
        }
    }

    /// Makes a move where the game stands; whether it is a new one. A move that was tried before leads into its old
    /// branch, with what is known of it now.
    pub fn grow(&mut self, ply: Ply) -> bool {
        let known = self.child(self.here, &ply.code);
        let node = known.unwrap_or(NodeId(self.nodes.len()));
        match known {
            Some(known) => self.nodes[known.0].ply = Some(ply),
            None => self.add(self.here, ply),
        }
        self.go(node);
        known.is_none()
    }

    /// Adds moves that follow a node, without going there; their nodes. Moves that were tried before stay as they are.
    pub fn add_line(&mut self, from: NodeId, plies: &[Ply]) -> Vec<NodeId> {
        let mut at = from;
        let grow = |ply: &Ply| {
            at = self.child(at, &ply.code).unwrap_or_else(|| {
                self.add(at, ply.clone());
                NodeId(self.nodes.len() - 1)
            });
            at
        };
        plies.iter().map(grow).collect()
    }

    fn child(&self, node: NodeId, code: &str) -> Option<NodeId> {
        let is_it = |child: &&NodeId| self.ply(**child).is_some_and(|ply| ply.code == code);
        self.children(node).iter().find(is_it).copied()
    }

    /// The same moves as the rules write them, each with the side that made it. `board` stands at the root.
    ///
    /// # Errors
    /// Names the first move that is not legal.
    pub fn settled(mut self, board: &dyn DynHistory) -> Result<Tree, Rejection> {
        let mut boards = vec![board.fork()];
        for node in 1..self.nodes.len() {
            let mut after = boards[self.nodes[node].parent.0].fork();
            if let Some(ply) = &mut self.nodes[node].ply {
                ply.side = after.side();
                ply.code = after.play(&ply.code)?;
            }
            boards.push(after);
        }
        Ok(self)
    }

    fn add(&mut self, parent: NodeId, ply: Ply) {
        let node = NodeId(self.nodes.len());
        self.nodes[parent.0].children.push(node);
        self.nodes.push(Node {
            parent,
            ply: Some(ply),
            children: Vec::new(),
            next: None,
        });
    }
}

/// A tree as it is written: node n is entry n - 1.
#[derive(Serialize, Deserialize)]
struct FlatTree {
    nodes: Vec<FlatNode>,
    here: NodeId,
}

#[derive(Serialize, Deserialize)]
struct FlatNode {
    from: NodeId,
    #[serde(flatten)]
    ply: Ply,
    /// Whether the game went here last from its parent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    last: bool,
}

impl From<Tree> for FlatTree {
    fn from(tree: Tree) -> FlatTree {
        let last: Vec<bool> = (0..tree.nodes.len())
            .map(|node| tree.next(tree.nodes[node].parent) == Some(NodeId(node)))
            .collect();
        let nodes = tree.nodes.into_iter().zip(last).skip(1);
        let flat = |(node, last): (Node, bool)| {
            node.ply.map(|ply| FlatNode {
                from: node.parent,
                ply,
                last,
            })
        };
        FlatTree {
            nodes: nodes.filter_map(flat).collect(),
            here: tree.here,
        }
    }
}

impl TryFrom<FlatTree> for Tree {
    type Error = String;

    fn try_from(flat: FlatTree) -> Result<Tree, String> {
        let mut tree = Tree::default();
        for node in flat.nodes {
            let here = NodeId(tree.nodes.len());
            if !tree.contains(node.from) {
                return Err(format!("node {} follows node {}", here.0, node.from.0));
            }
            tree.add(node.from, node.ply);
            if node.last {
                tree.nodes[node.from.0].next = Some(here);
            }
        }
        if !tree.contains(flat.here) {
            return Err(format!("there is no node {}", flat.here.0));
        }
        tree.here = flat.here;
        Ok(tree)
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
        tree.go(tree.back(2));
        assert_eq!(line(&tree), "a");
        tree.go(tree.forward(1));
        assert_eq!(line(&tree), "a b");
        tree.go(tree.forward(9));
        assert_eq!(line(&tree), "a b c");
        tree.go(tree.back(9));
        assert_eq!((tree.here(), tree.is_behind()), (NodeId::ROOT, true));
    }

    #[test]
    fn another_move_begins_a_branch_and_the_old_one_is_kept() {
        let mut tree = tree("a b c");
        tree.go(tree.back(2));
        assert!(tree.grow(ply("x")));
        assert_eq!((line(&tree).as_str(), tree.is_behind()), ("a x", false));
        tree.go(tree.back(1));
        assert_eq!(tree.branches(), ["b", "x"]);
        assert!(!tree.grow(ply("b")), "it was tried before");
        tree.go(tree.forward(1));
        assert_eq!(line(&tree), "a b c");
    }

    #[test]
    fn a_line_is_added_and_the_game_stays_where_it_is() {
        let mut tree = tree("a b c");
        let before = line(&tree);
        let nodes = tree.add_line(NodeId(1), &[ply("b"), ply("x"), ply("y")]);
        assert_eq!(nodes, [NodeId(2), NodeId(4), NodeId(5)]);
        assert_eq!(tree.add_line(NodeId(2), &[ply("x")]), [NodeId(4)]);
        assert_eq!((line(&tree), tree.n_nodes()), (before, 6));
        tree.go(NodeId(5));
        assert_eq!(line(&tree), "a b x y");
    }

    #[test]
    fn a_tree_is_the_same_after_json() {
        let mut tree = tree("a b c");
        tree.go(tree.back(2));
        tree.grow(ply("x"));
        tree.go(tree.back(1));
        let json = serde_json::to_string(&tree).expect("a tree is plain data");
        assert_eq!(
            serde_json::from_str::<Tree>(&json).ok(),
            Some(tree),
            "{json}"
        );
        let cyclic = r#"{"nodes":[{"from":1,"code":"a","side":"p1","by":"person"}],"here":0}"#;
        assert!(serde_json::from_str::<Tree>(cyclic).is_err());
    }
}
