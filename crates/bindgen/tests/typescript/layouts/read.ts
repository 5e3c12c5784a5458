/// <reference path="./node.d.ts" />
import { readFileSync } from "node:fs";
import { Constants, Either, Event, Event_Moved, Event_tags, Kind, Limits, Limits_BEYOND, Newtype, Packed, Point, Shape, Tag, Tags, Wide, Wide_High } from "./layouts";

const file = readFileSync(`${__dirname}/bytes`);
const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
let at = 0;

function next(bytes: number): number {
  const start = at;
  at += bytes;
  return start;
}

const shape = next(Shape.$bytes);
const corner = shape + Shape.corners + 2 * Point.$bytes;
console.log(
  view.getInt16(shape + Shape.kindOf, true) === Kind.Triangle,
  view.getFloat32(corner + Point.x, true),
  view.getFloat32(corner + Point.y, true),
  view.getBigUint64(shape + Shape.label + Tag.len, true),
  view.getBigUint64(shape + Shape.count, true) === Limits_BEYOND,
);
const packed = next(Packed.$bytes);
console.log(view.getUint8(packed + Packed.small), view.getBigUint64(packed + Packed.large, true) === Wide_High, Packed.MOST);
const either = next(Either.$bytes);
console.log(view.getUint32(either + Either.halves + 4, true), view.getBigUint64(either + Either.whole, true) >> 32n);
const tags = next(Tags.$bytes);
console.log(view.getBigUint64(tags + Tags.points + Tag.offset, true), view.getInt16(tags + Tags.last + Newtype._0, true));
const event = next(Event.$bytes);
console.log(
  view.getUint8(event + Event.$tag) === Event_tags.Moved,
  view.getFloat32(event + Event_Moved.to + Point.y, true),
);
console.log(at === file.byteLength, Constants.VERSION, Limits.NAME, Limits.EXACT, Wide.Low);
