//! Tokens, which give rights. They protect the engines of this machine.

use std::collections::VecDeque;

use axum::http::Uri;
use kit::Side;
use parking_lot::Mutex;
use record::token::{TOKEN, is_same, random_word};

/// Rights that a token grants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rights {
    /// All actions.
    Host,
    /// Playing one side of one table.
    Player { table: String, side: Side },
    /// Watching one table.
    Watcher { table: String },
}

/// The tokens of a server.
pub(crate) struct Access {
    host_token: String,
    guests: Mutex<Vec<(String, Rights)>>,
    /// Tokens of tables that have ended: their guests are asked to get a new link.
    ended: Mutex<VecDeque<String>>,
}

/// Maximum number of ended tokens that are remembered.
const MAX_ENDED: usize = 1000;

impl Access {
    /// Without a `host_token`, the host gets a new one.
    pub(crate) fn new(host_token: Option<String>) -> std::io::Result<Access> {
        Ok(Access {
            host_token: host_token.map_or_else(random_word::<TOKEN>, Ok)?,
            guests: Mutex::default(),
            ended: Mutex::default(),
        })
    }

    pub(crate) fn host_token(&self) -> &str {
        &self.host_token
    }

    /// Returns the token of a guest, always the same one for the same rights.
    pub(crate) fn guest_token(&self, rights: &Rights) -> std::io::Result<String> {
        let mut guests = self.guests.lock();
        if let Some((token, _)) = guests.iter().find(|(_, known)| known == rights) {
            return Ok(token.clone());
        }
        let token = random_word::<TOKEN>()?;
        guests.push((token.clone(), rights.clone()));
        Ok(token)
    }

    /// Removes the tokens of a table that has ended.
    pub(crate) fn forget(&self, ended: &str) {
        let is_of_it = |(_, rights): &mut (String, Rights)| match rights {
            Rights::Host => false,
            Rights::Player { table, .. } | Rights::Watcher { table } => table == ended,
        };
        let mut guests = self.guests.lock();
        let tokens = guests.extract_if(.., is_of_it).map(|(token, _)| token);
        let mut all = self.ended.lock();
        all.extend(tokens);
        let n_over = all.len().saturating_sub(MAX_ENDED);
        all.drain(..n_over);
    }

    /// `true` if the token in an address was valid for a table that has ended.
    pub(crate) fn has_ended(&self, uri: &Uri) -> bool {
        let ended = self.ended.lock();
        token(uri).is_some_and(|token| ended.iter().any(|known| is_same(known, token)))
    }

    /// Returns the rights of the token in an address. The host's token is valid at the host's door only.
    pub(crate) fn rights(&self, uri: &Uri, is_host_door: bool) -> Option<Rights> {
        let token = token(uri)?;
        if is_same(&self.host_token, token) {
            return is_host_door.then_some(Rights::Host);
        }
        let guests = self.guests.lock();
        let found = guests.iter().find(|(known, _)| is_same(known, token));
        found.map(|(_, rights)| rights.clone())
    }
}

/// Returns the value of `token` in the query. Tokens consist of letters and digits, so nothing is escaped.
fn token(uri: &Uri) -> Option<&str> {
    let mut words = uri.query()?.split('&');
    words.find_map(|word| word.strip_prefix("token="))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_give_rights_and_the_host_s_is_for_one_door() {
        let access = Access::new(None).expect("random numbers");
        let rights = Rights::Watcher {
            table: "t".to_owned(),
        };
        let guest = access.guest_token(&rights).expect("random numbers");
        assert_eq!(access.guest_token(&rights).ok(), Some(guest.clone()));
        let at = |token: &str, is_host_door: bool| {
            let uri = format!("/ws?token={token}").parse().expect("an address");
            access.rights(&uri, is_host_door)
        };
        let host = access.host_token().to_owned();
        assert_eq!(at(&host, true), Some(Rights::Host));
        assert_eq!(at(&host, false), None);
        assert_eq!(at(&guest, false), Some(rights));
        for wrong in ["", "x", &host[1..], &format!("{host}0")] {
            assert_eq!(at(wrong, true), None);
        }
        access.forget("t");
        assert_eq!(at(&guest, true), None);
        let has_ended = |token: &str| {
            access.has_ended(&format!("/?token={token}").parse().expect("an address"))
        };
        assert!(has_ended(&guest) && !has_ended(&host) && !has_ended(""));
    }
}
