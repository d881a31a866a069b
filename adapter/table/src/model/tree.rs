//! The moves of a game with their branches, and the current node.

use kit::{DynHistory, Rejection, Side};
use record::game::PlyRecord;
use serde::{Deserialize, Serialize};

/// A node of a tree: 0 is the position after the opening; the others are numbered as they are added. Nodes are never
/// removed.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct NodeId(pub usize);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);
}

/// Kind of player that made a move, regardless of the owner of the seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Mover {
    /// A person.
    Person,
    /// An engine.
    Engine,
}

/// One move of the tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ply {
    /// Its canonical code.
    pub code: String,
    /// The side that made it.
    pub side: Side,
    /// Kind of player that made it.
    pub by: Mover,
    /// Time, score and other data; `None` if the move was not played at this table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<PlyRecord>,
}

#[derive(Debug, Clone, PartialEq)]
struct Node {
    parent: NodeId,
    /// `None` only for the root.
    ply: Option<Ply>,
    children: Vec<NodeId>,
    /// The child visited last.
    next: Option<NodeId>,
}

/// All moves that were tried in a game, and the current node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// The current node.
    pub fn here(&self) -> NodeId {
        self.here
    }

    /// Number of nodes, including the root.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// `true` if the node exists.
    pub fn contains(&self, node: NodeId) -> bool {
        node.0 < self.nodes.len()
    }

    /// The nodes from the root to this one, without the root.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let up = |&node: &NodeId| (node != NodeId::ROOT).then(|| self.parent(node));
        let mut path: Vec<NodeId> = std::iter::successors(Some(node), up).collect();
        path.pop();
        path.reverse();
        path
    }

    /// The moves from the root to the current node.
    pub fn line(&self) -> impl Iterator<Item = &Ply> {
        self.path(self.here)
            .into_iter()
            .filter_map(|node| self.ply(node))
    }

    /// The move that leads to a node; `None` for the root.
    pub fn ply(&self, node: NodeId) -> Option<&Ply> {
        self.nodes[node.0].ply.as_ref()
    }

    /// The node before this one's move; the root is its own parent.
    pub fn parent(&self, node: NodeId) -> NodeId {
        self.nodes[node.0].parent
    }

    /// The nodes one move after this one, oldest first.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        &self.nodes[node.0].children
    }

    /// The child of a node that was visited last.
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.0].next
    }

    /// The node `n` moves back from the current one, or the root.
    pub fn back(&self, n: usize) -> NodeId {
        let n = n.min(self.nodes.len());
        (0..n).fold(self.here, |node, _| self.parent(node))
    }

    /// The node `n` moves forward along the last visited line, or its end.
    pub fn forward(&self, n: usize) -> NodeId {
        let n = n.min(self.nodes.len());
        (0..n).fold(self.here, |node, _| self.next(node).unwrap_or(node))
    }

    /// Codes of the moves that were tried at the current node.
    pub fn branches(&self) -> Vec<&str> {
        let code = |&child: &NodeId| self.ply(child).map(|ply| ply.code.as_str());
        self.children(self.here).iter().filter_map(code).collect()
    }

    /// `true` if the current line continues after the current node.
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

    /// Makes a move at the current node. Returns `true` if it is new; otherwise, goes to the existing node and replaces
    /// its ply.
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

    /// Adds moves after a node and returns their nodes; the current node does not change. Moves already there are kept.
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

    /// The same tree with canonical codes and the side of each move. `board` is the position at the root.
    ///
    /// # Errors
    /// A move is illegal; the message names the first.
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

/// The serialized form of a tree: node n is entry n - 1.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FlatTree {
    nodes: Vec<FlatNode>,
    here: NodeId,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FlatNode {
    from: NodeId,
    #[serde(flatten)]
    ply: Ply,
    /// This child was visited last from its parent.
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
