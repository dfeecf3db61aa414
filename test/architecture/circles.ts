export const circlesOf = (edges: readonly (readonly [from: string, to: string])[]): string[] => {
  const next = Map.groupBy(edges, ([from]) => from);
  const done = new Set<string>();
  const walk = (node: string, path: readonly string[]): string[] => {
    if (path.includes(node)) return [`a circle: ${[...path.slice(path.indexOf(node)), node].join(' → ')}`];
    if (done.has(node)) return [];
    const circles = (next.get(node) ?? []).flatMap(([, to]) => walk(to, [...path, node]));
    done.add(node);
    return circles;
  };
  return [...next.keys()].flatMap((node) => walk(node, []));
};
