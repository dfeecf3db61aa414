import { useEffect, useId, useRef, type ReactNode } from 'react';
import type { Browser } from '../../browser.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './donation-dialog.module.css';
import { DonationMessage } from './donation-message.tsx';
import { useDonation } from './use-donation.ts';

/** What the captcha of a donation is given. */
type DonationCaptcha = {
  readonly title: string;
  readonly onProof: (proof: string) => void;
  readonly onClose: () => void;
};

type DonationDialogProps = {
  readonly platformName: string;
  readonly browser: Browser;
  readonly onClose: () => void;
  /** A captcha dialog, shown on top of this one. */
  readonly renderCaptcha: (captcha: DonationCaptcha) => ReactNode;
};

/** On a small screen the message may appear below the dialog's edge. */
const bringIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

/** Mounted as long as it is open, so that closing it forgets the token. */
export const DonationDialog = (props: DonationDialogProps): ReactNode => {
  const { platformName, browser, onClose, renderCaptcha } = props;
  const [donation, dispatch] = useDonation(browser.fetch);
  const field = useRef<HTMLInputElement>(null);
  const ids = { field: useId(), hint: useId(), message: useId() };
  const busy = donation.step !== 'editing';
  const outcome = donation.step === 'editing' ? donation.outcome : undefined;
  const tokenMissing = outcome?.kind === 'token-missing';

  useEffect(() => {
    if (tokenMissing) field.current?.focus();
  }, [outcome, tokenMissing]);

  return (
    <>
      <Dialog title={`Donate a ${platformName} bot token`} onClose={onClose}>
        <form
          className={styles.form}
          // The dialog says what is missing in its own words.
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            dispatch({ type: 'submitted' });
          }}
        >
          <p>
            The token is used only to look up profiles. {platformName} may terminate the application it
            belongs to, so make one for this and nothing else.
          </p>
          <div className={styles.field}>
            <label htmlFor={ids.field}>Bot Token</label>
            {/* No name: whatever happens, no form can send it. */}
            <input
              ref={field}
              id={ids.field}
              type="text"
              required
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              placeholder="Paste your bot token"
              readOnly={busy}
              value={donation.token}
              onChange={(event) => dispatch({ type: 'typed', token: event.target.value })}
              aria-invalid={tokenMissing}
              aria-describedby={tokenMissing ? `${ids.message} ${ids.hint}` : ids.hint}
            />
            <p id={ids.hint}>Do not reuse an existing token, and do not add the bot to any server.</p>
          </div>
          {outcome && (
            <div ref={bringIntoView}>
              <DonationMessage
                id={ids.message}
                outcome={outcome}
                platformName={platformName}
                after={browser.after}
              />
            </div>
          )}
          <div className={styles.actions}>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" busy={busy}>
              {busy ? 'Verifying…' : 'Submit & Verify'}
            </Button>
          </div>
        </form>
      </Dialog>
      {donation.step === 'solving' &&
        renderCaptcha({
          title: 'Verify your token donation',
          onProof: (proof) => dispatch({ type: 'solved', proof }),
          onClose: () => dispatch({ type: 'captcha-closed' }),
        })}
    </>
  );
};
