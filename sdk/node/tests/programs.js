// Where the commands are.

import { fileURLToPath } from "node:url";

/** The folder that `cargo xtask test` names, or that of `cargo xtask build`. */
export const programs = process.env["UPCALL_PROGRAMS"] ?? fileURLToPath(new URL("../../../target/release", import.meta.url));
