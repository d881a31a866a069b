//! The pairs of a match on the server: writing them to the queue and reading it.

use std::collections::{BTreeSet, HashSet};

use async_nats::HeaderMap;
use async_nats::jetstream::message::PublishMessage;
use referee::queue::{MAX_WINDOW, PairOrder};

use crate::link::Link;
use crate::{names, streams, wire};

/// Pairs that a coordinator has sent to the queue of its match without confirmation by the server.
#[derive(Debug, Default)]
pub(crate) struct Offers {
    /// Pair and attempt of the unconfirmed orders.
    doubtful: HashSet<(usize, u32)>,
}

impl Offers {
    /// Stores pairs in the match's stream of pairs. If an earlier coordinator has already stored an attempt, that
    /// message was consumed since, so the next attempt number is used. Returns for each whether the server confirms it.
    pub(crate) fn store(
        &mut self,
        link: &Link,
        id: &str,
        orders: &[PairOrder],
    ) -> Vec<Result<(), String>> {
        let messages = orders.iter().map(|order| message(id, order)).collect();
        let stored = link.store_all(names::work(id), messages);
        let each = orders.iter().zip(stored);
        each.map(|(order, stored)| self.confirm(link, id, order.clone(), stored))
            .collect()
    }

    /// Handles the answer to an order: `true` if the message was stored before.
    fn confirm(
        &mut self,
        link: &Link,
        id: &str,
        mut order: PairOrder,
        mut stored: Result<bool, String>,
    ) -> Result<(), String> {
        loop {
            let key = (order.pair, order.attempt);
            let was_doubtful = self.doubtful.remove(&key);
            match stored {
                Ok(true) if !was_doubtful => order.attempt += 1,
                Ok(_) => return Ok(()),
                Err(why) => {
                    self.doubtful.insert(key);
                    return Err(why);
                }
            }
            stored = link.store(names::work(id), message(id, &order));
        }
    }
}

fn message(id: &str, order: &PairOrder) -> PublishMessage {
    let mut headers = HeaderMap::new();
    let message_id = format!("{id}/{}/{}", order.pair, order.attempt);
    headers.insert("Nats-Msg-Id", message_id.as_str());
    PublishMessage::build()
        .payload(wire::format(order).into())
        .headers(headers)
}

/// Returns the numbers of the pairs in the queue, including those in play.
pub(crate) async fn held(link: &Link, id: &str) -> Result<BTreeSet<usize>, String> {
    let stream = link.stream(&names::work_stream(id)).await?;
    let held = streams::scan(&stream, &names::work(id), 4 * MAX_WINDOW).await?;
    let orders = held
        .iter()
        .map(|held| wire::parse::<PairOrder>(&held.payload));
    Ok(orders.flatten().map(|order| order.pair).collect())
}

/// Returns `true` if a worker has taken a pair; `false` also if the server does not answer.
pub(crate) async fn is_leased(link: &Link, id: &str) -> bool {
    let Ok(stream) = link.stream(&names::work_stream(id)).await else {
        return false;
    };
    let info = stream.consumer_info(names::WORKERS).await;
    info.is_ok_and(|info| info.num_ack_pending > 0)
}

/// Returns the pair with this sequence number in the stream, if it was delivered: only then can a notice of its loss be
/// true.
pub(crate) async fn given_up(link: &Link, id: &str, sequence: u64) -> Option<PairOrder> {
    let stream = link.stream(&names::work_stream(id)).await.ok()?;
    let info = stream.consumer_info(names::WORKERS).await.ok()?;
    let is_delivered = sequence <= info.delivered.stream_sequence;
    let found = stream.direct_get(sequence).await.ok()?;
    let order = wire::parse::<PairOrder>(&found.payload).ok()?;
    is_delivered.then_some(order)
}

/// Deletes a message from the queue. If that fails, the server repeats its notice of the lost pair.
pub(crate) async fn delete(link: &Link, id: &str, sequence: u64) {
    if let Ok(stream) = link.stream(&names::work_stream(id)).await {
        let _ = stream.delete_message(sequence).await;
    }
}
