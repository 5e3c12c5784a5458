use super::failure::MpiFailure;
use super::request::{SharedRequest, UpcallMpiRequest};

/// Requests of which the first that ends is waited for.
pub struct UpcallMpiRequests(Vec<Option<SharedRequest>>);

#[upcall::export]
impl UpcallMpiRequests {
    /// None.
    pub fn new() -> Self {
        UpcallMpiRequests(Vec::new())
    }

    /// Adds one. Its index is how many were added before.
    pub fn add(&mut self, request: &UpcallMpiRequest) {
        self.0.push(Some(request.shared()));
    }

    /// Waits until one of them has ended that was not returned before, and returns its index; -1 where there is none. The
    /// request itself says how it has ended.
    pub fn wait_any(&mut self) -> Result<i64, MpiFailure> {
        while self.0.iter().any(Option::is_some) {
            if let Some(index) = self.ended()? {
                return Ok(index);
            }
            std::thread::yield_now();
        }
        Ok(-1)
    }

    /// As `wait_any`, without waiting: -1 where none has ended.
    pub fn test_any(&mut self) -> Result<i64, MpiFailure> {
        Ok(self.ended()?.unwrap_or(-1))
    }
}

impl UpcallMpiRequests {
    fn ended(&mut self) -> Result<Option<i64>, MpiFailure> {
        for (index, place) in self.0.iter_mut().enumerate() {
            let Some(request) = place else { continue };
            if request.has_ended()? {
                *place = None;
                return Ok(Some(index as i64));
            }
        }
        Ok(None)
    }
}
