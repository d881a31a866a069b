//! Processes that survive their parent.

use crate::platform;

/// While this value exists, a process whose parent ends becomes a child of this process, even if it has left its
/// parent's group and session. Dropping the value kills all children of this process, even those that hide that they
/// descend from an engine, so it must not be used where other children exist. Works on Linux only; elsewhere it does nothing.
#[derive(Debug)]
pub struct Orphans(());

impl Orphans {
    /// Starts adopting orphaned processes.
    pub fn adopt() -> Orphans {
        platform::adopt_orphans();
        Orphans(())
    }
}

impl Drop for Orphans {
    fn drop(&mut self) {
        platform::kill_children(None);
    }
}
