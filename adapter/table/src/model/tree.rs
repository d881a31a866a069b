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

/// A node with the move that leads to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Node {
    /// The node before the move, which is an earlier one.
    from: NodeId,
    #[serde(flatten)]
    ply: Ply,
    /// `true` for the child of its parent that was visited last.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    last: bool,
}

/// All moves that were tried in a game, and the current node.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tree {
    /// Node n is at n - 1; the root is not among them.
    nodes: Vec<Node>,
    here: NodeId,
}

impl Tree {
    /// The current node.
    pub fn here(&self) -> NodeId {
        self.here
    }

    /// Number of nodes, including the root.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len() + 1
    }

    /// `true` if the node exists.
    pub fn contains(&self, node: NodeId) -> bool {
        node.0 < self.n_nodes()
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
        let path = self.path(self.here).into_iter();
        path.filter_map(|node| self.ply(node))
    }

    fn node(&self, node: NodeId) -> Option<&Node> {
        self.nodes.get(node.0.checked_sub(1)?)
    }

    /// The move that leads to a node; `None` for the root.
    pub fn ply(&self, node: NodeId) -> Option<&Ply> {
        self.node(node).map(|node| &node.ply)
    }

    /// The node before this one's move; the root is its own parent.
    pub fn parent(&self, node: NodeId) -> NodeId {
        self.node(node).map_or(NodeId::ROOT, |node| node.from)
    }

    /// The nodes one move after this one, oldest first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let later = (node.0 + 1..self.n_nodes()).map(NodeId);
        later.filter(move |child| self.parent(*child) == node)
    }

    /// The child of a node that was visited last.
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        let is_last = |child: &NodeId| self.node(*child).is_some_and(|child| child.last);
        self.children(node).find(is_last)
    }

    /// The node `n` moves back from the current one, or the root.
    pub fn back(&self, n: usize) -> NodeId {
        let n = n.min(self.n_nodes());
        (0..n).fold(self.here, |node, _| self.parent(node))
    }

    /// The node `n` moves forward along the last visited line, or its end.
    pub fn forward(&self, n: usize) -> NodeId {
        let n = n.min(self.n_nodes());
        (0..n).fold(self.here, |node, _| self.next(node).unwrap_or(node))
    }

    /// Codes of the moves that were tried at the current node.
    pub fn branches(&self) -> Vec<&str> {
        let code = |child| self.ply(child).map(|ply| ply.code.as_str());
        self.children(self.here).filter_map(code).collect()
    }

    /// `true` if the current line continues after the current node.
    pub fn is_behind(&self) -> bool {
        self.next(self.here).is_some()
    }

    /// Goes to a node.
    pub fn go(&mut self, node: NodeId) {
        self.here = node;
        for child in self.path(node) {
            if !self.nodes[child.0 - 1].last {
                let siblings: Vec<NodeId> = self.children(self.parent(child)).collect();
                for sibling in siblings {
                    self.nodes[sibling.0 - 1].last = sibling == child;
                }
            }
        }
    }

    /// Makes a move at the current node. Returns `true` if it is new; otherwise, goes to the existing node and replaces
    /// its ply.
    pub fn grow(&mut self, ply: Ply) -> bool {
        let known = self.child(self.here, &ply.code);
        let node = match known {
            Some(known) => {
                self.nodes[known.0 - 1].ply = ply;
                known
            }
            None => self.add(self.here, ply),
        };
        self.go(node);
        known.is_none()
    }

    /// Adds moves after a node and returns their nodes; the current node does not change. Moves already there are kept.
    pub fn add_line(&mut self, from: NodeId, plies: &[Ply]) -> Vec<NodeId> {
        let mut at = from;
        let grow = |ply: &Ply| {
            let known = self.child(at, &ply.code);
            at = known.unwrap_or_else(|| self.add(at, ply.clone()));
            at
        };
        plies.iter().map(grow).collect()
    }

    fn child(&self, node: NodeId, code: &str) -> Option<NodeId> {
        let is_it = |child: &NodeId| self.ply(*child).is_some_and(|ply| ply.code == code);
        self.children(node).find(is_it)
    }

    fn add(&mut self, from: NodeId, ply: Ply) -> NodeId {
        let last = false;
        self.nodes.push(Node { from, ply, last });
        NodeId(self.nodes.len())
    }

    /// The same tree with canonical codes and the side of each move. `board` is the position at the root.
    ///
    /// # Errors
    /// A move is illegal; the message names the first.
    pub fn settled(mut self, board: &dyn DynHistory) -> Result<Tree, Rejection> {
        let mut boards = vec![board.fork()];
        for Node { from, ply, .. } in &mut self.nodes {
            let mut after = boards[from.0].fork();
            ply.side = after.side();
            ply.code = after.play(&ply.code)?;
            boards.push(after);
        }
        Ok(self)
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
    }
}
