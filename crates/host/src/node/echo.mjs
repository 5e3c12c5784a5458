export class Echo {
  onObject(object, emit) {
    emit.put(object.key, object.value);
  }
}
