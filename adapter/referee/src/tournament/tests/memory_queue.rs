//! A queue in memory that implements both ends. The caller controls its clock, so tests need not wait.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::queue::{
    Ending, Incoming, Lease, PairOrder, PairReport, PlayedPair, Queue, QueueControl, Unreachable,
};

/// A queue in memory. Clones share the same queue.
#[derive(Debug, Clone)]
pub(crate) struct MemoryQueue(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// Time after which the lease of a silent worker expires.
    ack_wait: Duration,
    /// Maximum number of deliveries of a pair.
    max_deliver: u32,
    window: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    now: Duration,
    items: Vec<Item>,
    reports: VecDeque<(u64, PairReport)>,
    /// Delivered reports that are not settled yet.
    unsettled: Vec<(u64, PairReport)>,
    last_id: u64,
    is_stopped: bool,
    /// Number of results of pairs that already had one.
    n_doubled: usize,
    n_workers: usize,
    set_aside: Vec<String>,
}

#[derive(Debug)]
struct Item {
    order: PairOrder,
    n_delivered: u32,
    /// ID of the current lease, and the time when it expires.
    leased: Option<(u64, Duration)>,
}

impl MemoryQueue {
    /// Creates an empty queue. A lease expires after `ack_wait` without a sign of its worker, and a pair is delivered
    /// at most `max_deliver` times.
    pub(crate) fn new(ack_wait: Duration, max_deliver: u32, window: usize) -> MemoryQueue {
        MemoryQueue(Arc::new(Shared {
            ack_wait,
            max_deliver,
            window,
            state: Mutex::default(),
            changed: Condvar::new(),
        }))
    }

    /// Advances the queue's clock.
    pub(crate) fn advance(&self, time: Duration) {
        let mut state = self.0.state.lock();
        state.now += time;
        let (now, max_deliver) = (state.now, self.0.max_deliver);
        let mut failed = Vec::new();
        for item in &mut state.items {
            if item.leased.is_some_and(|(_, until)| until <= now) {
                item.leased = None;
                if item.n_delivered >= max_deliver {
                    failed.push(item.order.pair);
                }
            }
        }
        for pair in failed {
            state.items.retain(|item| item.order.pair != pair);
            let reason = format!("{max_deliver} workers were lost");
            state.report(PairReport::Failed { pair, reason });
        }
        self.0.changed.notify_all();
    }

    /// Returns a lease if a pair is available now. Does not block.
    pub(crate) fn try_lease(&self) -> Option<Lease> {
        self.0.state.lock().lease(self.0.ack_wait)
    }

    /// Returns a pair whose result cannot be sent.
    pub(crate) fn hand_back_because(&self, lease: Lease, worker: &str, why: &str) {
        let mut state = self.0.state.lock();
        state.report(PairReport::HandedBack {
            pair: lease.order.pair,
            attempt: lease.order.attempt,
            why: Some(why.to_owned()),
            worker: worker.to_owned(),
        });
        state.items.retain(|item| item.order != lease.order);
        self.0.changed.notify_all();
    }

    /// Sets the number of workers that the coordinator sees.
    pub(crate) fn set_n_workers(&self, n_workers: usize) {
        self.0.state.lock().n_workers = n_workers;
    }

    /// Names of the workers that were set aside.
    pub(crate) fn set_aside(&self) -> Vec<String> {
        self.0.state.lock().set_aside.clone()
    }

    /// Number of results of pairs that already had one.
    pub(crate) fn n_doubled(&self) -> usize {
        self.0.state.lock().n_doubled
    }
}

impl State {
    fn lease(&mut self, ack_wait: Duration) -> Option<Lease> {
        if self.is_stopped {
            return None;
        }
        let until = self.now + ack_wait;
        let item = self.items.iter_mut().find(|item| item.leased.is_none())?;
        self.last_id += 1;
        item.leased = Some((self.last_id, until));
        item.n_delivered += 1;
        Some(Lease {
            id: self.last_id,
            order: item.order.clone(),
        })
    }

    fn report(&mut self, report: PairReport) {
        self.last_id += 1;
        self.reports.push_back((self.last_id, report));
    }
}

impl Queue for MemoryQueue {
    fn lease(&self) -> Option<Lease> {
        let mut state = self.0.state.lock();
        loop {
            if let Some(lease) = state.lease(self.0.ack_wait) {
                return Some(lease);
            }
            if state.is_stopped {
                return None;
            }
            self.0.changed.wait(&mut state);
        }
    }

    fn keep(&self, lease: u64) {
        let mut state = self.0.state.lock();
        let until = state.now + self.0.ack_wait;
        let mut leases = state.items.iter_mut().flat_map(|item| &mut item.leased);
        if let Some((_, kept)) = leases.find(|(id, _)| *id == lease) {
            *kept = until;
        }
    }

    fn finish(&self, lease: Lease, played: PlayedPair) {
        let mut state = self.0.state.lock();
        state.report(PairReport::Played(played));
        let n_items = state.items.len();
        state.items.retain(|item| item.order != lease.order);
        state.n_doubled += usize::from(state.items.len() == n_items);
        self.0.changed.notify_all();
    }

    fn hand_back(&self, lease: Lease) {
        let mut state = self.0.state.lock();
        let PairOrder { pair, attempt, .. } = lease.order;
        state.report(PairReport::without_result(pair, attempt));
        state.items.retain(|item| item.order != lease.order);
        self.0.changed.notify_all();
    }

    fn reject(&self, lease: Lease, _: &str) {
        let mut state = self.0.state.lock();
        state.items.retain(|item| item.order != lease.order);
    }
}

impl QueueControl for MemoryQueue {
    fn offer(&mut self, orders: &[PairOrder]) -> Vec<Result<(), Unreachable>> {
        self.0
            .state
            .lock()
            .items
            .extend(orders.iter().map(|order| Item {
                order: order.clone(),
                n_delivered: 0,
                leased: None,
            }));
        self.0.changed.notify_all();
        vec![Ok(()); orders.len()]
    }

    fn receive(&mut self, timeout: Duration) -> Option<Incoming> {
        let mut state = self.0.state.lock();
        if state.reports.is_empty() {
            self.0.changed.wait_for(&mut state, timeout);
        }
        let (receipt, report) = state.reports.pop_front()?;
        state.unsettled.push((receipt, report.clone()));
        Some(Incoming::Report { receipt, report })
    }

    fn settle(&mut self, receipt: u64) {
        let mut state = self.0.state.lock();
        state
            .unsettled
            .retain(|(unsettled, _)| *unsettled != receipt);
    }

    /// Behaves as for a new coordinator: unsettled reports are delivered again.
    fn held(&mut self) -> Result<BTreeSet<usize>, Unreachable> {
        let mut state = self.0.state.lock();
        let again = std::mem::take(&mut state.unsettled);
        state.reports.extend(again);
        state.is_stopped = false;
        Ok(state.items.iter().map(|item| item.order.pair).collect())
    }

    fn window(&self) -> usize {
        self.0.window
    }

    fn stop(&mut self, _: Ending) -> Result<(), Unreachable> {
        self.0.state.lock().is_stopped = true;
        self.0.changed.notify_all();
        Ok(())
    }

    fn is_playing(&mut self) -> bool {
        let state = self.0.state.lock();
        state.items.iter().any(|item| item.leased.is_some())
    }

    fn n_workers(&self) -> usize {
        self.0.state.lock().n_workers
    }

    fn set_aside(&mut self, worker: &str) {
        let mut state = self.0.state.lock();
        state.n_workers = state.n_workers.saturating_sub(1);
        state.set_aside.push(worker.to_owned());
    }

    fn replaced(&self) -> Option<String> {
        None
    }

    fn close(&mut self) {
        self.0.state.lock().items.clear();
    }
}
