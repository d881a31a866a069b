//! Processes that outlive the child that started them.

use crate::platform;

/// While this value lives, a process whose parent ends becomes a child of this process, even if it left its parent's
/// group and session. Dropping the value kills all children of this process, so nothing else may have started any.
/// On Linux alone; elsewhere this does nothing.
#[derive(Debug)]
pub struct Orphans(());

impl Orphans {
    /// Adopts orphans from now on.
    pub fn adopt() -> Orphans {
        platform::adopt_orphans();
        Orphans(())
    }
}

impl Drop for Orphans {
    fn drop(&mut self) {
        platform::kill_children();
    }
}
