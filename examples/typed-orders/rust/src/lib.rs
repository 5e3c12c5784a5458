//! The handlers in Rust: `report` prints bills and adds them up, `sum` prints the sum of all.

pub mod types;

use types::{Bill, Total};
use upcall::{Batch, BatchHandler, Emit, Failure, Object, Packed, TypedHandler};

upcall::handlers! {
    "report" => upcall::typed(Report),
    "sum" => upcall::batch(Sum::default()),
}

/// Prints each bill and emits what it comes to.
struct Report;

impl TypedHandler for Report {
    type In<'a> = Packed<Bill<'a>>;
    type Out = Total;

    fn on_value(
        &mut self,
        object: Object<'_>,
        bill: Bill<'_>,
        emit: &mut Emit<'_, Total>,
    ) -> Result<(), Failure> {
        println!("{:<8} {:>3} items {:>8}", bill.customer, bill.items, money(bill.cents));
        emit.put(object.key(), &Total { items: bill.items.into(), cents: bill.cents });
        Ok(())
    }
}

/// Adds up whole batches of totals, which lie side by side.
#[derive(Default)]
struct Sum {
    bills: usize,
    items: u64,
    cents: u64,
}

impl BatchHandler for Sum {
    fn on_batch(&mut self, batch: &mut Batch<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
        let totals = batch.values_as::<Total>().ok_or_else(|| Failure::new("the pool declares no Total"))?;
        self.bills += totals.len();
        self.items += totals.iter().map(|total| total.items).sum::<u64>();
        self.cents += totals.iter().map(|total| total.cents).sum::<u64>();
        Ok(())
    }

    fn flush(&mut self, _: &mut Emit<'_>) -> Result<(), Failure> {
        println!("{:<8} {:>3} items {:>8}", format!("{} bills", self.bills), self.items, money(self.cents));
        Ok(())
    }
}

fn money(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
