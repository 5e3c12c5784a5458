/** Text as UTF-8, and nothing that is none: U+FFFD would stand for half of a surrogate pair, so that two keys would be one. */

import type { Key } from "./engine.js";

/** From Node 20 on. */
const quick = (String.prototype as { isWellFormed?: (this: string) => boolean }).isWellFormed;
const HALF = /\p{Surrogate}/u;

/** The text. Throws where it has half of a surrogate pair. */
export function wellFormed(text: string): string {
  if (quick === undefined ? HALF.test(text) : !quick.call(text)) throw half(text);
  return text;
}

/** A key, for a message. */
export function shown(key: Key): string {
  return typeof key === "string" ? key : Buffer.from(key.slice().buffer as ArrayBuffer).utf8Slice(0, key.length);
}

function half(text: string): TypeError {
  const at = text.search(HALF);
  return new TypeError(
    `a text has \\u${text.charCodeAt(at).toString(16)} at ${at}, which is half of a surrogate pair and has no UTF-8: give a ` +
      "whole pair, or bytes",
  );
}
