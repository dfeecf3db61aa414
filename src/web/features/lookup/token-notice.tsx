import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

export type DonationOffer = {
  /** Absent where no tokens are taken. */
  readonly onDonate: (() => void) | undefined;
};

export const TokenNotice = ({ onDonate }: DonationOffer): ReactNode => (
  <Notice tone="warning">
    <p>
      That was a bot token, not an ID. It was removed from the field and has not been sent anywhere. Anyone
      who has it controls the bot, so don't paste it anywhere else.
    </p>
    {onDonate && <Button onClick={onDonate}>Donate a bot token</Button>}
  </Notice>
);
