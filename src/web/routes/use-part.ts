import { useState } from 'react';

export type Part<Loaded> = {
  /** Undefined until it is there. */
  readonly loaded: Loaded | undefined;
  readonly failed: boolean;
  /** Starts to load it, and tries again if that failed. */
  readonly load: () => void;
};

/** A part of a page that comes in a chunk of its own. Unlike with React's `lazy`, a failure can be mended. */
export const usePart = <Loaded>(importPart: () => Promise<Loaded>): Part<Loaded> => {
  const [loaded, setLoaded] = useState<Loaded>();
  const [failed, setFailed] = useState(false);
  return {
    loaded,
    failed,
    load: () => {
      if (loaded !== undefined) return;
      setFailed(false);
      importPart().then(
        (part) => setLoaded(() => part),
        () => setFailed(true),
      );
    },
  };
};
