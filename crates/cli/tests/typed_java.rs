//! Values of types that bindgen has written, between handlers in Java.

use crate::support::{Folder, built, code, fed, run, upcall};
use std::fs;
use std::path::Path;
use std::process::Command;
use upcall_bindgen::java::jdk;

const TYPES: &str = "\
use upcall_pack::Pack;

#[derive(Pack)]
pub struct Order {
    pub item: String,
    pub count: u32,
}

#[derive(Pack)]
#[pack(raw)]
#[repr(C)]
pub struct Price {
    pub cents: i64,
    pub factor: f64,
}
";

const HANDLERS: [(&str, &str); 2] = [
    (
        "Parses",
        "\
import packed.pack.Order;
import upcall.FlowObject;
import upcall.TypedEmitter;
import upcall.TypedHandler;

public final class Parses implements TypedHandler<String, Order> {
    public void onObject(String line, FlowObject object, TypedEmitter<Order> out) {
        String[] parts = line.split(\" \");
        out.put(object.key(), new Order(parts[0], Integer.parseInt(parts[1])));
    }
}
",
    ),
    (
        "Prices",
        "\
import packed.pack.Order;
import packed.pack.Price;
import upcall.FlowObject;
import upcall.TypedEmitter;
import upcall.TypedHandler;

public final class Prices implements TypedHandler<Order, Price> {
    public void onObject(Order order, FlowObject object, TypedEmitter<Price> out) {
        Price price = new Price(order.count() * 5L, 0.5);
        out.put(object.key(), price);
        out.of(String.class).put(\"/said\", object.keyBytes(), order.item() + \" \" + price.cents());
    }
}
",
    ),
];

#[test]
fn what_bindgen_packs_passes_between_handlers() {
    let pools = "[pool.\"/lines\"]\ntype = \"text\"\n[pool.\"/orders\"]\ntype = { packed = \"Order\" }\n\
                 [pool.\"/prices\"]\ntype = { blittable = \"Price\", size = 16 }\n[pool.\"/said\"]\ntype = \"text\"\n";
    let classes = Path::new("classes");
    let flow = code("java", classes, "Parses", "/lines", "/orders", "")
        + &code("java", classes, "Prices", "/orders", "/prices", "")
            .replace("to = \"/prices\"", "to = [\"/prices\", \"/said\"]");
    let folder = Folder::new(&(pools.to_owned() + &flow));
    let types = folder.write("types.rs", TYPES);
    let outcome = run(&mut upcall(&["bindgen", "--rust", &types, "--java", &folder.path("java")]));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let mut javac = Command::new(jdk::find_oldest(17).unwrap().tool("javac"));
    javac.args(["--release", "17", "-d", &folder.path("classes"), "-cp"]).arg(built("upcall.jar"));
    for made in fs::read_dir(folder.path("java/packed/pack")).unwrap() {
        javac.arg(made.unwrap().path());
    }
    for (class, source) in HANDLERS {
        javac.arg(folder.write(&format!("{class}.java"), source));
    }
    assert!(javac.status().unwrap().success());
    let (said, prices) =
        (format!("/said={}", folder.path("said")), format!("/prices={}", folder.path("prices")));
    let arguments =
        ["run", &folder.path("flow.toml"), "--input", "/lines=-", "--dump", &said, "--dump", &prices];
    let outcome =
        fed(upcall(&arguments).args(["--as", "hex", "--report", "none"]), b"nails 20\nboards 3\nnone\n");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(folder.read("said"), "1\tnails 100\n2\tboards 15\n", "{}", outcome.err);
    let prices = "1\t6400000000000000000000000000e03f\n2\t0f00000000000000000000000000e03f\n";
    assert_eq!(folder.read("prices"), prices, "as they lie in memory");
    assert!(outcome.err.contains("1 item is in /dead/lines"), "{}", outcome.err);
}
