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
import { useEnvironment, useErrorTexts, useTexts } from '../../environment.ts';
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
  readonly onVerified: (payload: string | undefined) => void;
  readonly onChange: (state: WidgetState, problem: CaptchaProblem | undefined) => void;
  readonly onProgress: ((share: number) => void) | undefined;
};

const stringsOf = (texts: Texts['captcha']): string =>
  JSON.stringify({
    label: texts.notRobot,
    verifying: texts.verifying,
    verified: texts.verified,
    waitAlert: texts.verifying,
    error: texts.failedLater,
    expired: texts.expired,
  });

const stop = (widget: AltchaElement, asked: Promise<void>): void => {
  // In any other state it reports workers that were told to stop as an error.
  widget.reset?.('expired');
  // It asks for its challenge a moment after it starts, even if it was removed meanwhile, and a removed widget fails at
  // that. So it stays, unseen, until it has asked.
  widget.hidden = true;
  queueMicrotask(() => document.body.append(widget));
  void asked.then(() => widget.remove());
};

/** The reason that the widget keeps in its error state: nowhere but in a title. */
const reasonIn = (widget: AltchaElement): CaptchaProblem | undefined => {
  const message = widget.querySelector('.altcha-error [title]')?.getAttribute('title');
  return message ? { message } : undefined;
};

const wordsIn = (value: unknown): string | undefined => {
  const words = typeof value === 'string' ? value : (value as { readonly message?: unknown } | null)?.message;
  return typeof words === 'string' && words !== '' ? words : undefined;
};

const messageOf = (event: Event): string | undefined => {
  const { detail } = event as CustomEvent<{ readonly error?: unknown } | null | undefined>;
  return wordsIn(detail) ?? wordsIn(detail?.error) ?? wordsIn(event);
};

export const AltchaWidget = (props: AltchaWidgetProps): ReactNode => {
  const { ask, onVerified, onChange, onProgress } = props;
  const texts = useTexts('captcha');
  const errors = useErrorTexts();
  const { fetch } = useEnvironment().browser;
  const element = useRef<AltchaElement>(null);
  // Absolute, so that the widget can tell which server a configured path belongs to.
  const [challengeUrl] = useState(() => new URL('/challenge', location.href).href);
  const [challenge] = useState(() =>
    createWidgetChallenge({
      challengeUrl,
      ask,
      fetch,
      startStockWorker: () => new Worker(stockWorkerUrl),
      explain: (answer) => toFailure(answer, errors, texts.failed),
    }),
  );
  // At once: what is to be sent must not wait for a frame that is being painted.
  const verified = useEffectEvent(({ detail }: CustomEvent<{ readonly payload?: string } | null>) =>
    flushSync(() => onVerified(detail?.payload)),
  );
  const changed = useEffectEvent((widget: AltchaElement, state: WidgetState) =>
    onChange(state, challenge.refusal() ?? reasonIn(widget)),
  );
  const failed = useEffectEvent((event: Event) => {
    const message = messageOf(event);
    onChange('error', message === undefined ? undefined : { message });
  });

  useLayoutEffect(() => {
    const widget = element.current;
    if (widget === null) return undefined;
    // Not earlier: the widget's module puts a factory of its own there while it loads.
    globalThis.altchaCreateWorker = () => challenge.createWorker() as unknown as Worker;
    // The widget goes on sending events after a reset and after its removal.
    const mounted = new AbortController();
    const { signal } = mounted;
    widget.addEventListener('verified', (event) => verified(event as CustomEvent), { signal });
    widget.addEventListener('error', (event) => failed(event), { signal });
    const onStateChange = ({ detail }: CustomEvent<{ readonly state: WidgetState }>): void =>
      // The widget writes its reason into the page right after it tells of its state.
      queueMicrotask(() => {
        if (!signal.aborted) changed(widget, detail.state);
      });
    widget.addEventListener('statechange', (event) => onStateChange(event as CustomEvent), { signal });
    return () => {
      mounted.abort();
      challenge.close();
      stop(widget, challenge.asked);
    };
  }, [challenge]);

  return (
    <div className={styles.widget}>
      <AltchaTag
        ref={element}
        auto="onload"
        challengeurl={challengeUrl}
        customfetch={challenge.fetch}
        hidefooter
        hidelogo
        strings={stringsOf(texts)}
      />
      <CaptchaProgress share={challenge.share} onProgress={onProgress} />
    </div>
  );
};
