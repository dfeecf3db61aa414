import type { ReactNode } from 'react';
import { TOKEN_SEEN } from '../../texts/lookup/flow.ts';
import { DONATE_TOKEN } from '../../texts/lookup/page.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

export type DonationOffer = {
  /** Absent where no tokens are taken. */
  readonly onDonate: (() => void) | undefined;
};

export const TokenNotice = ({ onDonate }: DonationOffer): ReactNode => (
  <Notice tone="warning">
    <p>{TOKEN_SEEN}</p>
    {onDonate && <Button onClick={onDonate}>{DONATE_TOKEN}</Button>}
  </Notice>
);
