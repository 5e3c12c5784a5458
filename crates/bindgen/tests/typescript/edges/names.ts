import {
  Array, Holding, Map, Named, Out_, Record, Thing, Word, arguments_, await_, constructor, default_, echo_holding,
  echo_named, exports_, globalThis, hasOwnProperty, isPrototypeOf, length, name, process, prototype, textAt_, then_, toString, valueOf,
} from "./index";

declare const console: { log(...given: unknown[]): void };

console.log(constructor(1, 2), prototype(1, 2, 3), name(1, 2, 4), length(1, 2, 5), toString(1, 5), default_(1, 6), arguments_(1, 2, 5), await_(1, 2, 6));
console.log(hasOwnProperty, valueOf, then_, process, globalThis, Array, Map, exports_, Record, isPrototypeOf, Out_, textAt_);
const { offsets } = Named;
const named = echo_named(new Named({
  constructor_: 1, prototype: 2, name: 3, length: 4, toString_: 5, default: 6, arguments: 7, await: 8, __proto___: 9, valueOf_: 10,
  hasOwnProperty_: 11, size: 12, align: 13, offsets: 14, elements: [15, 16], then: Word.toString,
}));
console.log(named.constructor_, named.prototype, named.name, named.length, named.toString_, named.default, named.arguments, named.await);
console.log(named.__proto___, named.valueOf_, named.hasOwnProperty_, named.size, named.align, named.offsets, named.elements, named.then);
console.log(offsets.name, offsets.constructor_, offsets.__proto___, Named.size);
console.log(Word.constructor, Word.prototype, Word.name, Word.length, Word.toString, Word.default, Word.arguments, Word.await, Word["__proto__"], Word.valueOf);
const inside: number[] = [
  echo_holding(new Holding({ constructor_: { _0: 1 } })).constructor_!._0,
  echo_holding(new Holding({ prototype: { constructor_: 1, length: 2 } })).prototype!.length,
  echo_holding(new Holding({ name: { _0: 3 } })).name!._0,
  echo_holding(new Holding({ toString_: { _0: 4 } })).toString_!._0,
  echo_holding(new Holding({ arguments: { _0: 5 } })).arguments!._0,
  echo_holding(new Holding({ __proto___: { _0: 6 } })).__proto___!._0,
];
const alone = [new Holding({ length: true }).length, new Holding({ default: true }).default, new Holding({ await: true }).await];
console.log(inside, alone, Holding.tags.constructor_, Holding.tags.name);
const thing = new Thing(10);
console.log(thing.constructor_(1), thing.prototype_(), thing.name_(), thing.length_(), thing.toString(), Thing.default(1), thing.arguments(), thing.await(), Thing.caller(1));
