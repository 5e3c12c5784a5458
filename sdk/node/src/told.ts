/** What a caller has given, in words. */

/** A value in words. */
export function told(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return "undefined";
    case "string":
      return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
    case "number":
    case "boolean":
      return String(value);
    case "bigint":
      return `the bigint ${value}n`;
    case "symbol":
    case "function":
      return `a ${typeof value}`;
    case "object": {
      if (value === null) return "null";
      const { name } = (Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null)?.constructor ?? {};
      return name === undefined || name === "Object" ? "an object" : `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`;
    }
  }
}

/** What to do with an object that is given as a value. */
export function packedBy(value: unknown): string {
  if (typeof value !== "object" || value === null) return "";
  const of = value.constructor as { name?: string; pack?: unknown } | undefined;
  if (typeof of?.pack === "function" && of.name) return `: give its bytes, ${of.name}.pack(value)`;
  return ": give its bytes, by `pack` of its class where upcall bindgen writes one, or a text, as JSON.stringify makes it";
}
