/** `Map.prototype.getOrInsertComputed`, which Node 24 does not have. */
export const getOrInsert = <K, V>(map: Map<K, V>, key: K, make: (key: K) => V): V => {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make(key);
  map.set(key, made);
  return made;
};
