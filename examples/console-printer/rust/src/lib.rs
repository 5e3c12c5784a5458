//! Prints sender, pool, key and value of each object.

use upcall::{Emit, Failure, Handler, Object, Open, Pool};

#[derive(Default)]
struct Printer {
    senders: Vec<String>,
    pools: Vec<Pool>,
}

impl Handler for Printer {
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        (self.senders, self.pools) = (open.senders(), open.pools().to_vec());
        Ok(())
    }

    fn on_object(&mut self, object: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
        let sender = &self.senders[object.sender() as usize];
        let pool = self.pools.iter().find(|pool| pool.id == object.pool()).map_or("?", |pool| &pool.path);
        println!("{sender} {pool} {} {}", object.key_str(), String::from_utf8_lossy(object.value()));
        Ok(())
    }
}

upcall::export! { "printer" => Printer::default() }
