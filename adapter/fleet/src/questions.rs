//! Questions to the coordinator of a match: it answers with the progress, and a second one does not begin.

use std::sync::Arc;
use std::time::Duration;

use async_nats::Request;
use async_nats::client::RequestErrorKind;
use futures_util::StreamExt;
use linesman::usage::Failure;
use parking_lot::Mutex;

use crate::link::{Link, text};
use crate::platform;
use crate::streams::subject;
use crate::wire::{self, CoordinatorState};

/// Time in which a coordinator answers. Another subscriber may receive the question and be silent.
const ANSWER_TIME: Duration = Duration::from_secs(2);

/// Starts to answer queries about a match, with the returned state.
///
/// # Errors
/// The server does not answer.
pub(crate) fn answer(link: &Link, id: &str) -> Result<Arc<Mutex<CoordinatorState>>, String> {
    let state = Arc::new(Mutex::new(CoordinatorState {
        host: platform::host_name(),
        ..CoordinatorState::default()
    }));
    let mut questions = link.wait(async {
        let questions = link.client.subscribe(subject("coordinator", id)).await;
        link.client.flush().await.map_err(text)?;
        questions.map_err(text)
    })?;
    let (client, shared) = (link.client.clone(), Arc::clone(&state));
    link.spawn(async move {
        while let Some(question) = questions.next().await {
            if let Some(reply) = question.reply {
                let answer = wire::format(&*shared.lock());
                let _ = client.publish(reply, answer.into()).await;
            }
        }
    });
    Ok(state)
}

/// Asks the coordinator of a match for its state; `None` if the match has no coordinator.
///
/// # Errors
/// The server does not answer.
pub(crate) fn ask(link: &Link, id: &str) -> Result<Option<CoordinatorState>, Failure> {
    let request = Request::new().timeout(Some(ANSWER_TIME));
    let asked = link
        .client
        .send_request(subject("coordinator", id), request);
    match link.wait(asked) {
        // A subscriber to all subjects, or a coordinator that is stopped. The latter notices a second one.
        Err(error) if error.kind() == RequestErrorKind::TimedOut && link.is_connected() => Ok(None),
        Ok(answer) => Ok(Some(wire::parse(&answer.payload).unwrap_or_default())),
        Err(error) if error.kind() == RequestErrorKind::NoResponders => Ok(None),
        Err(error) => Err(link.failed(error)),
    }
}

/// Fails if a match already has a coordinator, because it has one ledger. `advice` ends the error text.
///
/// # Errors
/// There is one, or the server does not answer.
pub(crate) fn refuse_second(link: &Link, id: &str, advice: &str) -> Result<(), Failure> {
    ask(link, id)?.map_or(Ok(()), |state| {
        let id = format!("{id} on {}", state.host);
        Err(has_coordinator(link, &id, advice))
    })
}

pub(crate) fn has_coordinator(link: &Link, id: &str, advice: &str) -> Failure {
    link.failed(format!("match {id} has a coordinator{advice}"))
}
