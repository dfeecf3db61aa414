import { useEffect, useEffectEvent } from 'react';

const DONATION_HASH = '#donate-token';

/** Calls `onOpen` when somebody comes to `/#donate-token`. The address forgets it, so that the same link works again. */
export const useDonateTokenHash = (onOpen: () => void): void => {
  const opened = useEffectEvent(onOpen);
  useEffect(() => {
    const check = (): void => {
      if (location.hash !== DONATION_HASH) return;
      history.replaceState(history.state, '', location.pathname + location.search);
      opened();
    };
    check();
    addEventListener('hashchange', check);
    return () => removeEventListener('hashchange', check);
  }, []);
};
