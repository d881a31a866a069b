//! The pairs of a match on the server: their way into the queue, and what is in it.

use std::collections::{BTreeSet, HashSet};

use async_nats::HeaderMap;
use async_nats::jetstream::message::PublishMessage;
use referee::queue::{MAX_WINDOW, PairOrder};

use crate::link::Link;
use crate::names;
use crate::streams;
use crate::wire;

/// What a coordinator has put into the queue of its match, as far as the server has not confirmed it.
#[derive(Debug, Default)]
pub(crate) struct Offers {
    /// Pair and attempt of the orders whose arrival is not known.
    doubtful: HashSet<(usize, u32)>,
}

impl Offers {
    /// Stores a pair of a match in the stream of its pairs. If an attempt of this number was there already, and was an earlier
    /// coordinator's, it is not there any more: the next number is taken.
    ///
    /// # Errors
    /// The server does not confirm it.
    pub(crate) fn store(&mut self, link: &Link, id: &str, order: &PairOrder) -> Result<(), String> {
        let mut order = order.clone();
        loop {
            let key = (order.pair, order.attempt);
            let mut headers = HeaderMap::new();
            let message_id = format!("{id}/{}/{}", order.pair, order.attempt);
            headers.insert("Nats-Msg-Id", message_id.as_str());
            let message = PublishMessage::build()
                .payload(wire::format(&order).into())
                .headers(headers);
            let is_doubled = link.store(names::work(id), message);
            let was_doubtful = self.doubtful.remove(&key);
            match is_doubled {
                Ok(true) if !was_doubtful => order.attempt += 1,
                Ok(_) => return Ok(()),
                Err(why) => {
                    self.doubtful.insert(key);
                    return Err(why);
                }
            }
        }
    }
}

/// The numbers of the pairs in the queue, those that are played included.
pub(crate) async fn held(link: &Link, id: &str) -> Result<BTreeSet<usize>, String> {
    let stream = link.stream(&names::work_stream(id)).await?;
    let held = streams::scan(&stream, &names::work(id), 4 * MAX_WINDOW).await?;
    let orders = held
        .iter()
        .map(|held| wire::parse::<PairOrder>(&held.payload));
    Ok(orders.flatten().map(|order| order.pair).collect())
}

/// Whether a worker has a pair, as the server knows; `false` if it does not answer.
pub(crate) async fn is_leased(link: &Link, id: &str) -> bool {
    let Ok(stream) = link.stream(&names::work_stream(id)).await else {
        return false;
    };
    let info = stream.consumer_info(names::WORKERS).await;
    info.is_ok_and(|info| info.num_ack_pending > 0)
}

/// The pair at a place of the stream, if it was delivered: nothing else can be given up.
pub(crate) async fn given_up(link: &Link, id: &str, sequence: u64) -> Option<PairOrder> {
    let stream = link.stream(&names::work_stream(id)).await.ok()?;
    let info = stream.consumer_info(names::WORKERS).await.ok()?;
    let is_delivered = sequence <= info.delivered.stream_sequence;
    let found = stream.direct_get(sequence).await.ok()?;
    let order = wire::parse::<PairOrder>(&found.payload).ok()?;
    is_delivered.then_some(order)
}

/// Takes what is at a place of the stream off the queue. What cannot be taken off is given up by the server, and told again.
pub(crate) async fn delete(link: &Link, id: &str, sequence: u64) {
    if let Ok(stream) = link.stream(&names::work_stream(id)).await {
        let _ = stream.delete_message(sequence).await;
    }
}
