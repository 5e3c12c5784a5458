/** The text of a flow's file, as code describes it. */

/** A value of such a file. */
export type Toml = string | number | bigint | boolean | readonly Toml[] | { readonly [key: string]: Toml };

/** A text that is added to. The flow's own keys come before all tables. */
export class FlowText {
  /** The flow's own keys, which come before the text. */
  keys = "";
  private tables = "";

  constructor(private readonly text: string) {}

  toString(): string {
    return `${this.text}\n${this.tables}`;
  }

  key(key: string, value: Toml): void {
    this.keys += line(key, value);
  }

  table(head: string, lines: Readonly<Record<string, Toml | undefined>>): void {
    this.tables += `\n${head}\n`;
    for (const [key, value] of Object.entries(lines)) if (value !== undefined) this.tables += line(key, value);
  }
}

/** A key or a value as TOML's basic string: JSON's, in which one more character is escaped. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}

function line(key: string, value: Toml): string {
  return `${key} = ${shown(value)}\n`;
}

function shown(value: Toml): string {
  switch (typeof value) {
    case "string":
      return quoted(value);
    case "number":
      if (!Number.isFinite(value)) break;
      if (!Number.isInteger(value)) return String(value);
      // TOML's integers have 64 bits. A bigint has all digits, where String rounds.
      return Math.abs(value) < 2 ** 63 ? String(BigInt(value)) : value.toExponential();
    case "bigint":
    case "boolean":
      return String(value);
    case "object":
      if (value === null) break;
      if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
      return `{ ${Object.entries(value).map(([key, of]) => `${quoted(key)} = ${shown(of)}`).join(", ")} }`;
  }
  throw new TypeError(`a flow's file has no value like ${String(value)}: give text, a number, a truth value, a list or an object`);
}
