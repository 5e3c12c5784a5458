// Which bytes are a value: Rust's enums hold the numbers that they name, and any other is undefined behaviour.

/** The numbers of an enum, with the limits of each variant's data. A module of bindings may have a `Map` of its own. */
const numbers = (pairs) => new Map(pairs);

/**
 * What is wrong with the value at a place, if anything is. A limit is a field, its offset, and either an integer, its
 * numbers (with the limits of each variant's data) and what they are called, or a count, the bytes from one element
 * to the next, and the limits of each.
 */
function wrong(limits, region, offset, before) {
  for (const [name, at, of, numbers, inner] of limits) {
    const path = before && name ? `${before}.${name}` : before || name;
    const place = offset + at;
    if (typeof of === "number") {
      for (let index = 0; index < of; index++) {
        const found = wrong(inner, region, place + index * numbers, `${path}[${index}]`);
        if (found !== undefined) return found;
      }
      continue;
    }
    const number = of.get(region, place);
    const variant = numbers.get(number);
    if (variant === undefined) return `${path ? `holds ${number} in ${path}` : `is ${number}`}, which is not ${inner}`;
    const found = wrong(variant, region, place, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

function check(of, region, offset, at) {
  const found = of.limits && wrong(of.limits, region, offset, "");
  if (found !== undefined) throw new RangeError(`${at} ${found}`);
}

/** A view of this class, made of an object if it is none, whose bytes are a value. */
function value(Class, given, at) {
  const view = record(Class, given, at);
  check(Class, view._r, view._o, at);
  return view;
}

/** The same where native code reads what is behind an address: only what JavaScript knows can be looked at. */
function behind(of, given, at) {
  if (given === null || typeof given !== "object") return;
  pointer(given, of, true, at);
  const { region, start, size } = extent(given, at);
  if (size >= of.size) check(of, region, start, at);
}
