/** Handlers in AssemblyScript, compiled to WebAssembly: the README beside this package. */

export { Handler, handler } from "./handler";
export { Open } from "./open";
export { FlowObject } from "./object";
export { Emit } from "./emit";
export { Found } from "./found";
export { log } from "./host";
