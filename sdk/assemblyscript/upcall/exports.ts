/** What a host calls: a module says `export * from "upcall/exports"`. */

export { upcall_abi, upcall_make, upcall_call } from "./driver";
