import 'altcha/external';
import {
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentType,
  type RefAttributes,
  type ReactNode,
} from 'react';
import { toFailure } from '../../ask-server.ts';
import { useEnvironment, useErrorTexts, useTexts } from '../../environment.ts';
import styles from './altcha-widget.module.css';
import type { CaptchaProblem, WidgetState } from './captcha-state.ts';
import type { Attempt } from './proof.ts';
import { createWidgetChallenge } from './widget-challenge.ts';
import type { Texts } from '../../texts/translation.ts';

/** The methods of the element exist only once the widget inside it is mounted, a moment after the element. */
type AltchaElement = HTMLElement & Partial<Pick<AltchaWidgetMethods, 'reset'>>;

/** The package's own JSX types refuse what React allows on any element, so the tag is typed here and used nowhere else. */
const AltchaTag = 'altcha-widget' as unknown as ComponentType<
  AltchaWidgetOptions & RefAttributes<AltchaElement>
>;

type AltchaWidgetProps = {
  readonly take: () => Attempt;
  readonly onVerified: (payload: string | undefined) => void;
  readonly onChange: (state: WidgetState, problem: CaptchaProblem | undefined) => void;
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

type WidgetDetail = {
  readonly state: WidgetState;
  readonly payload?: string;
  readonly message?: unknown;
} | null;

export const AltchaWidget = ({ take, onVerified, onChange }: AltchaWidgetProps): ReactNode => {
  const texts = useTexts('captcha');
  const errors = useErrorTexts();
  const { fetch } = useEnvironment().browser;
  const element = useRef<AltchaElement>(null);
  // Absolute, so that the widget can tell which server a configured path belongs to.
  const [url] = useState(() => new URL('/challenge', location.href).href);
  const [challenge] = useState(() =>
    createWidgetChallenge({
      url,
      take,
      fetch,
      explain: (answer) => toFailure(answer, errors, texts.failed),
    }),
  );
  const hear = useEffectEvent((type: string, detail: WidgetDetail): void => {
    if (type === 'verified') onVerified(detail?.payload);
    else if (type === 'statechange' && detail) onChange(detail.state, challenge.refusal());
    else onChange('error', typeof detail?.message === 'string' ? { message: detail.message } : undefined);
  });

  useLayoutEffect(() => {
    const widget = element.current;
    if (widget === null) return undefined;
    // Not earlier: the widget's module puts a factory of its own there while it loads.
    globalThis.altchaCreateWorker = () => challenge.createWorker() as unknown as Worker;
    // The widget goes on sending events after a reset and after its removal.
    const mounted = new AbortController();
    for (const type of ['verified', 'statechange', 'error'])
      widget.addEventListener(type, (event) => hear(type, (event as CustomEvent<WidgetDetail>).detail), {
        signal: mounted.signal,
      });
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
        challengeurl={url}
        customfetch={challenge.fetch}
        hidefooter
        hidelogo
        strings={stringsOf(texts)}
        workers={1}
      />
    </div>
  );
};
