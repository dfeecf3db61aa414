const pairsIn = (word: string): Set<string> => new Set(Array.from(word, (_, at) => word.slice(at, at + 2)));

/** The candidate that shares most pairs of letters with the word, if it shares enough. */
export const nearest = (word: string, candidates: readonly string[]): string | undefined => {
  const wanted = pairsIn(word);
  const likeness = (candidate: string): number => {
    const pairs = pairsIn(candidate);
    return wanted.intersection(pairs).size / wanted.union(pairs).size;
  };
  const [best = ''] = candidates.toSorted((one, other) => likeness(other) - likeness(one));
  return likeness(best) >= 0.4 ? best : undefined;
};
