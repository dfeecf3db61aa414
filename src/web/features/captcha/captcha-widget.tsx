import {
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentType,
  type RefAttributes,
  type ReactNode,
} from 'react';
import { createChallengeFetch } from './challenge-fetch.ts';

/** The methods of the element exist only once the widget inside it is mounted, a moment after the element. */
type AltchaElement = HTMLElement & Partial<Pick<AltchaWidgetMethods, 'reset'>>;

/** The package's own JSX types refuse what React allows on any element, so the tag is typed here and used nowhere else. */
const AltchaTag = 'altcha-widget' as unknown as ComponentType<
  AltchaWidgetOptions & RefAttributes<AltchaElement>
>;

type CaptchaWidgetProps = {
  readonly fetch: typeof globalThis.fetch;
  readonly onVerified: (payload: string | undefined) => void;
  readonly onFailed: (message: string | undefined) => void;
};

/** The widget, which starts by itself. Mount it only when it is loaded; unmounting stops it. */
export const CaptchaWidget = ({ fetch, onVerified, onFailed }: CaptchaWidgetProps): ReactNode => {
  const element = useRef<AltchaElement>(null);
  const [challenge] = useState(() => createChallengeFetch(fetch));
  const verified = useEffectEvent(onVerified);
  const failed = useEffectEvent(onFailed);

  useLayoutEffect(() => {
    const widget = element.current;
    if (widget === null) return undefined;
    // The widget goes on sending events after a reset and after its removal: this ends with the mount.
    const listening = new AbortController();
    const { signal } = listening;
    widget.addEventListener('verified', (event) => verified((event as AltchaVerifiedEvent).detail.payload), {
      signal,
    });
    widget.addEventListener(
      'statechange',
      (event) => {
        const { state } = (event as AltchaStateChangeEvent).detail;
        if (state === 'error') failed(challenge.refusal());
        if (state === 'expired') failed('Verification expired. Try again.');
      },
      { signal },
    );
    return () => {
      listening.abort();
      challenge.abort();
      widget.reset?.();
    };
  }, [challenge]);

  return (
    <AltchaTag
      ref={element}
      auto="onload"
      challengeurl="/challenge"
      customfetch={challenge.fetch}
      disablerefetchonexpire
      hidefooter
      hidelogo
    />
  );
};
