const SIXTEEN = new Uint8Array(16);

export class Empty {
  onObject() {}
}

export class Reading {
  onObject(object) {
    object.key;
    object.value;
  }
}

export class Emitting {
  onObject(object, emit) {
    object.value;
    emit.put(object.key, SIXTEEN);
  }
}
