import 'altcha/external';
import stockWorkerUrl from 'altcha/worker?url&no-inline';
import {
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentType,
  type RefAttributes,
  type ReactNode,
} from 'react';
import { flushSync } from 'react-dom';
import { VERIFYING } from '../../texts/captcha.ts';
import { createAbortableWorker } from './abortable-worker.ts';
import type { AskedChallenge } from './ask-challenge.ts';
import styles from './altcha-widget.module.css';
import type { CaptchaProblem, WidgetState } from './captcha-state.ts';
import { CaptchaProgress } from './captcha-progress.tsx';
import { createChallengeFetch } from './challenge-fetch.ts';

/** The methods of the element exist only once the widget inside it is mounted, a moment after the element. */
type AltchaElement = HTMLElement & Partial<Pick<AltchaWidgetMethods, 'reset'>>;

/** The package's own JSX types refuse what React allows on any element, so the tag is typed here and used nowhere else. */
const AltchaTag = 'altcha-widget' as unknown as ComponentType<
  AltchaWidgetOptions & RefAttributes<AltchaElement>
>;

type AltchaWidgetProps = {
  readonly ask: () => AskedChallenge;
  readonly hidden: boolean;
  readonly onVerified: (payload: string | undefined) => void;
  readonly onChange: (state: WidgetState, refusal: CaptchaProblem | undefined) => void;
};

const STRINGS = JSON.stringify({ verifying: VERIFYING });

const startStockWorker = (): Worker => new Worker(stockWorkerUrl);

/** The widget, which starts by itself. Unmounting stops it. */
export const AltchaWidget = ({ ask, hidden, onVerified, onChange }: AltchaWidgetProps): ReactNode => {
  const element = useRef<AltchaElement>(null);
  const [challenge] = useState(() => createChallengeFetch({ ask, startStockWorker }));
  const verified = useEffectEvent(onVerified);
  const changed = useEffectEvent(onChange);

  useLayoutEffect(() => {
    const widget = element.current;
    if (widget === null) return undefined;
    // Not earlier: its module puts a factory of its own there while it loads.
    globalThis.altchaCreateWorker = () => createAbortableWorker(challenge.startWorker) as unknown as Worker;
    // The widget goes on sending events after a reset and after its removal: this ends with the mount.
    const listening = new AbortController();
    const { signal } = listening;
    widget.addEventListener(
      'verified',
      // At once: what is to be sent must not wait for a frame that is being painted.
      (event) => flushSync(() => verified((event as AltchaVerifiedEvent).detail.payload)),
      { signal },
    );
    widget.addEventListener(
      'statechange',
      (event) => changed((event as AltchaStateChangeEvent).detail.state, challenge.refusal()),
      { signal },
    );
    return () => {
      listening.abort();
      challenge.abort();
      // In any other state the widget reports workers that were told to stop as an error on the console.
      widget.reset?.('expired');
      // It asks for its challenge a moment after it starts, also if it was removed meanwhile; then without what it was
      // given, which fails on the console. So it stays, unseen, until it has asked.
      widget.hidden = true;
      queueMicrotask(() => document.body.append(widget));
      void challenge.asked.then(() => widget.remove());
    };
  }, [challenge]);

  return (
    <div className={styles.widget} hidden={hidden}>
      <AltchaTag
        ref={element}
        auto="onload"
        challengeurl="/challenge"
        customfetch={challenge.fetch}
        hidefooter
        hidelogo
        strings={STRINGS}
      />
      <CaptchaProgress share={challenge.share} />
    </div>
  );
};
