import { useState, type ReactNode } from 'react';
import { useEnvironment, useTexts } from '../environment.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

export type LazyPart<Loaded> = {
  readonly loaded: Loaded | undefined;
  readonly failed: boolean;
  readonly load: () => Promise<Loaded | undefined>;
};

export const useLazyPart = <Loaded,>(
  importPart: () => Promise<Loaded>,
  initial?: Loaded,
): LazyPart<Loaded> => {
  const [loaded, setLoaded] = useState(initial);
  const [failed, setFailed] = useState(false);
  return {
    loaded,
    failed,
    load: async () => {
      if (loaded !== undefined) return loaded;
      setFailed(false);
      try {
        const part = await importPart();
        setLoaded(() => part);
        return part;
      } catch {
        setFailed(true);
        return undefined;
      }
    },
  };
};

type PartSlotProps<Loaded> = {
  readonly part: LazyPart<Loaded>;
  readonly failure: readonly [title: string, offline: string];
  /** Loads the page again: some browsers do not fetch a module again that has failed. */
  readonly onTryAgain: () => void;
  readonly children: (loaded: Loaded) => ReactNode;
};

export const PartSlot = <Loaded,>(props: PartSlotProps<Loaded>): ReactNode => {
  const { isOnline } = useEnvironment().browser;
  const { partMissing } = useTexts('lookup');
  const { tryAgain } = useTexts('ui');
  const { part, failure, onTryAgain, children } = props;
  if (part.loaded !== undefined) return children(part.loaded);
  return (
    part.failed && (
      <Notice tone="error">
        <p>{failure[0]}</p>
        <p>{isOnline() ? partMissing : failure[1]}</p>
        <Button onClick={onTryAgain}>{tryAgain}</Button>
      </Notice>
    )
  );
};
