//! Several requests at once. Each is looked at by itself: Open MPI 4.1.4 frees all that have failed when `MPI_Waitany` tells of
//! the first.

use super::Request;
use crate::error::Error;
use crate::status::Status;

/// A request of several that has ended.
#[derive(Debug)]
pub struct Ended<B> {
    /// Where it was among them.
    pub index: usize,
    /// What [`Request::wait`] would have returned.
    pub outcome: Result<(B, Status), Error>,
}

impl<B: Send + 'static> Request<B> {
    /// Waits for all of them.
    ///
    /// # Errors
    /// The first that has failed, when all have ended.
    pub fn wait_all(requests: impl IntoIterator<Item = Request<B>>) -> Result<Vec<(B, Status)>, Error> {
        let mut requests: Vec<Request<B>> = requests.into_iter().collect();
        // In turn, as one may end only when another is looked at.
        if requests.iter().any(|request| matches!(request.stage, super::Stage::Looking(_))) {
            while !all_ended(&mut requests) {
                std::thread::yield_now();
            }
        }
        // All of them are waited for, whatever the first says.
        let ended: Vec<_> = requests.into_iter().map(Request::wait).collect();
        ended.into_iter().collect()
    }

    /// What [`wait_all`](Request::wait_all) returns, where all have ended, and takes them out then.
    ///
    /// # Errors
    /// The first that has failed, when all have ended.
    pub fn test_all(requests: &mut Vec<Request<B>>) -> Result<Option<Vec<(B, Status)>>, Error> {
        if !all_ended(requests) {
            return Ok(None);
        }
        let ended: Vec<_> = requests.drain(..).map(|mut request| request.outcome()).collect();
        ended.into_iter().collect::<Result<_, _>>().map(Some)
    }

    /// Waits for the first of them that ends, and takes it out: its index, its buffer and its status. The last takes its
    /// place. `None` where there are none.
    ///
    /// # Errors
    /// What was begun has failed; it is taken out too.
    pub fn wait_any(requests: &mut Vec<Request<B>>) -> Result<Option<(usize, B, Status)>, Error> {
        while !requests.is_empty() {
            if let Some(ended) = Request::test_any(requests)? {
                return Ok(Some(ended));
            }
            std::thread::yield_now();
        }
        Ok(None)
    }

    /// What [`wait_any`](Request::wait_any) returns, where one has ended; else `None`.
    ///
    /// # Errors
    /// As there.
    pub fn test_any(requests: &mut Vec<Request<B>>) -> Result<Option<(usize, B, Status)>, Error> {
        let Some(index) = requests.iter_mut().position(Request::poll) else { return Ok(None) };
        let (buffer, status) = requests.swap_remove(index).outcome()?;
        Ok(Some((index, buffer, status)))
    }

    /// Waits until at least one of them has ended, and takes out all that have, well or not. The others stay in their order.
    /// Nothing where there are none.
    #[must_use]
    pub fn wait_some(requests: &mut Vec<Request<B>>) -> Vec<Ended<B>> {
        loop {
            let ended = Request::test_some(requests);
            if !ended.is_empty() || requests.is_empty() {
                return ended;
            }
            std::thread::yield_now();
        }
    }

    /// Takes out those that have ended by now, as [`wait_some`](Request::wait_some); it may be none.
    #[must_use]
    pub fn test_some(requests: &mut Vec<Request<B>>) -> Vec<Ended<B>> {
        let (mut ended, mut go_on) = (Vec::new(), Vec::with_capacity(requests.len()));
        for (index, mut request) in requests.drain(..).enumerate() {
            if request.poll() {
                ended.push(Ended { index, outcome: request.outcome() });
            } else {
                go_on.push(request);
            }
        }
        *requests = go_on;
        ended
    }
}

/// Looks at all of them, also behind one that has not ended.
fn all_ended<B: Send + 'static>(requests: &mut [Request<B>]) -> bool {
    let mut all = true;
    for request in requests {
        all &= request.poll();
    }
    all
}
