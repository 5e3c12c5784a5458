/** Whose call it is between two groups. */

import { told } from "../told.js";
import { rankOf } from "./given.js";
import { native } from "./native.js";

/**
 * Whose elements an `Intercommunicator` gives to the other group, or who gets those of the other group: `"here"`, this process, is
 * what the root itself says; `"beside"`, another of this group, is what the others of the root's group say, who take no part; and
 * the ranks of the other group say which rank of it the root is.
 */
export type Root = "here" | "beside" | number;

/** What MPI is told of a root. */
export function rootOf(root: Root, what: string): number {
  if (root === "here") return native.UPCALL_MPI_ROOT_HERE;
  if (root === "beside") return native.UPCALL_MPI_ROOT_BESIDE;
  if (typeof root === "number") return rankOf(root, what, "root");
  throw new TypeError(`${what}: \`root\` has to be "here", "beside" or a rank of the other group, and ${told(root)} is given`);
}
