/** Handlers in AssemblyScript, compiled to WebAssembly: the README beside this package. */

export { AnyHandler, Handler, handler } from "./handler";
export { AnyProgram, Gather, GatherProgram, Interval, IntervalProgram, Iteration, VertexProgram } from "./program";
export { Neighbours, Vertex } from "./vertex";
export { Column, OutgoingSide, Side, Vertices } from "./vertices";
export { Context } from "./context";
export { None } from "./number";
export { Open } from "./open";
export { FlowObject } from "./object";
export { Emit } from "./emit";
export { Found } from "./found";
export { log } from "./host";

// 0 is `stub`, which takes all memory behind its own for its own: the host's pages lie there, and the frames in them.
if (ASC_RUNTIME == 0) ERROR("a handler is not compiled with --runtime stub: use --runtime incremental, or minimal");
