import type { ReactNode } from 'react';
import { Notice } from '../ui/notice.tsx';
import type { Part } from './use-part.ts';

type PartSlotProps<Loaded> = {
  readonly part: Part<Loaded>;
  /** What the visitor cannot do without the part. */
  readonly failure: string;
  readonly children: (loaded: Loaded) => ReactNode;
};

/** The place of a part that may still be on its way, or may not have come. */
export const PartSlot = <Loaded,>({ part, failure, children }: PartSlotProps<Loaded>): ReactNode => {
  if (part.loaded !== undefined) return children(part.loaded);
  return (
    part.failed && (
      <Notice tone="error">
        <p>{failure}</p>
        <p>A part of this page could not be loaded. Check your connection and try again.</p>
      </Notice>
    )
  );
};
