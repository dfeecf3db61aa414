import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { useEnvironment, useTexts } from '../../environment.ts';
import { useFormats } from '../../use-formats.ts';
import type { Formats } from '../../texts/formats.ts';
import type { Texts } from '../../texts/translation.ts';
import { GrowingFlake } from '../../ui/growing-flake.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import styles from './altcha-widget.module.css';

const TICK_MS = 200;
const TELL_AFTER_MS = 1_000;

/** A longer estimate comes from a search that has hardly begun; and the dialog gives up after this time. */
const MOST_SECONDS = 20;

type Done = { readonly share: number; readonly passedMs: number };

export const timeLeft = ({ share, passedMs }: Done, texts: Texts['captcha'], formats: Formats): string => {
  if (share <= 0 || passedMs < TELL_AFTER_MS) return '';
  // At most: the number may be anywhere in the rest of the range.
  const seconds = Math.ceil(((passedMs / share) * (1 - share)) / 1_000);
  if (seconds > MOST_SECONDS) return '';
  if (seconds <= 1) return texts.almostDone;
  return fill(formats.plural(texts.secondsLeft, seconds), { count: formats.count(seconds) });
};

type CaptchaProgressProps = {
  readonly share: () => number;
  readonly onProgress: ((share: number) => void) | undefined;
};

export const CaptchaProgress = ({ share, onProgress }: CaptchaProgressProps): ReactNode => {
  const { after } = useEnvironment().browser;
  const formats = useFormats();
  const texts = useTexts('captcha');
  const [startedMs] = useState(() => performance.now());
  const [done, setDone] = useState<Done>({ share: 0, passedMs: 0 });
  const look = useEffectEvent(() => {
    setDone({ share: share(), passedMs: performance.now() - startedMs });
    onProgress?.(share());
  });
  useEffect(() => after(TICK_MS, look), [done, after]);
  return (
    <div className={`small ${styles.progress}`}>
      <GrowingFlake share={done.share} />
      <VisuallyHidden>
        <progress aria-label={texts.progress} value={done.share} />
      </VisuallyHidden>
      <span>{timeLeft(done, texts, formats)}</span>
    </div>
  );
};
