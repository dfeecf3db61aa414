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
import { toFailure } from '../../ask-server.ts';
import { useErrorTexts, useTexts } from '../../environment.ts';
import type { AskedChallenge } from './ask-challenge.ts';
import styles from './altcha-widget.module.css';
import type { CaptchaProblem, WidgetState } from './captcha-state.ts';
import { CaptchaProgress } from './captcha-progress.tsx';
import { createWidgetChallenge } from './widget-challenge.ts';
import type { Texts } from '../../texts/translation.ts';

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
  readonly onProgress: ((share: number) => void) | undefined;
};

/** In the names that the widget has for them. */
const stringsOf = (texts: Texts['captcha']): string =>
  JSON.stringify({
    label: texts.notRobot,
    verifying: texts.verifying,
    verified: texts.verified,
    verificationRequired: texts.codeRequired,
    waitAlert: texts.verifying,
    error: texts.failedLater,
    expired: texts.expired,
  });

const startStockWorker = (): Worker => new Worker(stockWorkerUrl);

/** Stops a widget that leaves the page, without an error on the console. */
const stop = (widget: AltchaElement, asked: Promise<void>): void => {
  // In any other state it reports workers that were told to stop as an error.
  widget.reset?.('expired');
  // It asks for its challenge a moment after it starts, even if it was removed meanwhile, and a removed widget fails at
  // that. So it stays, unseen, until it has asked.
  widget.hidden = true;
  queueMicrotask(() => document.body.append(widget));
  void asked.then(() => widget.remove());
};

/** The widget, which starts by itself. Unmounting stops it. */
export const AltchaWidget = (props: AltchaWidgetProps): ReactNode => {
  const { ask, hidden, onVerified, onChange, onProgress } = props;
  const texts = useTexts('captcha');
  const errors = useErrorTexts();
  const element = useRef<AltchaElement>(null);
  const [challenge] = useState(() =>
    createWidgetChallenge({
      ask,
      startStockWorker,
      explain: (body) => toFailure(body, errors, texts.failed),
    }),
  );
  // At once: what is to be sent must not wait for a frame that is being painted.
  const verified = useEffectEvent((event: AltchaVerifiedEvent) =>
    flushSync(() => onVerified(event.detail.payload)),
  );
  const changed = useEffectEvent((event: AltchaStateChangeEvent) =>
    onChange(event.detail.state, challenge.refusal()),
  );

  useLayoutEffect(() => {
    const widget = element.current;
    if (widget === null) return undefined;
    // Not earlier: the widget's module puts a factory of its own there while it loads.
    globalThis.altchaCreateWorker = () => challenge.createWorker() as unknown as Worker;
    // The widget goes on sending events after a reset and after its removal.
    const mounted = new AbortController();
    const { signal } = mounted;
    widget.addEventListener('verified', (event) => verified(event as AltchaVerifiedEvent), { signal });
    widget.addEventListener('statechange', (event) => changed(event as AltchaStateChangeEvent), { signal });
    return () => {
      mounted.abort();
      challenge.close();
      stop(widget, challenge.asked);
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
        strings={stringsOf(texts)}
      />
      <CaptchaProgress share={challenge.share} onProgress={onProgress} />
    </div>
  );
};
