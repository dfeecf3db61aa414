/** A double-ended queue on a circular array whose length is a power of two. */
export const createRing = <T>() => {
  let slots: (T | undefined)[] = Array.from({ length: 16 });
  let head = 0;
  let size = 0;

  const makeRoom = (): void => {
    if (size < slots.length) return;
    const ordered = [...slots.slice(head), ...slots.slice(0, head)];
    slots = [...ordered, ...Array.from<undefined>({ length: ordered.length })];
    head = 0;
  };

  return {
    push: (entry: T): void => {
      makeRoom();
      slots[(head + size) & (slots.length - 1)] = entry;
      size += 1;
    },
    unshift: (entry: T): void => {
      makeRoom();
      head = (head - 1) & (slots.length - 1);
      slots[head] = entry;
      size += 1;
    },
    shift: (): T | undefined => {
      if (size === 0) return undefined;
      const entry = slots[head];
      slots[head] = undefined;
      head = (head + 1) & (slots.length - 1);
      size -= 1;
      return entry;
    },
    first: (): T | undefined => (size === 0 ? undefined : slots[head]),
    size: () => size,
  };
};
