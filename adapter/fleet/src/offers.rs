//! Pairs on their way into the queue.

use std::collections::HashSet;

use async_nats::HeaderMap;
use async_nats::jetstream::message::PublishMessage;
use referee::queue::PairOrder;

use crate::link::Link;
use crate::names;
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
