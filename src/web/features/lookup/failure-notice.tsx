import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { LookupFailure } from './look-up.ts';

type FailureNoticeProps = {
  readonly failure: LookupFailure;
  readonly id: string;
  readonly onTryAgain: () => void;
};

const waitText = (seconds: number): string =>
  `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;

export const FailureNotice = ({ failure, id, onTryAgain }: FailureNoticeProps): ReactNode => (
  <Notice tone="error" id={id}>
    <p>{failure.message}</p>
    {failure.retryAfterSeconds !== undefined && <p>{waitText(failure.retryAfterSeconds)}</p>}
    {failure.reaction === 'try-later' && <Button onClick={onTryAgain}>Try again</Button>}
  </Notice>
);
