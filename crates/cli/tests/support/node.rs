//! Handlers in JavaScript, each in a file of its test's own.

use super::{Folder, pools};
use serde_json::Value;

/// A folder with a handler's file, and a flow that runs its class `Handler`.
pub fn flow(file: &str, code: &str, more: &str) -> Folder {
    let flow = format!(
        "{}[[handler]]\nname = \"handler\"\non = \"/in\"\nto = \"/out\"\nnode = \"{file}\"\nclass = \"Handler\"\n{more}\n",
        pools(&["/in", "/out"])
    );
    let folder = Folder::new(&flow);
    folder.write(file, code);
    folder
}

/// The causes of the dead letters.
pub fn causes(folder: &Folder) -> Vec<Value> {
    let letter = |line: &str| {
        serde_json::from_str::<Value>(line.split_once('\t').unwrap().1).unwrap()["cause"].clone()
    };
    folder.read("dead").lines().map(letter).collect()
}
