import { flushSync } from 'react-dom';

/** Whether the parts that have a name move by themselves, or all of the page fades into what it becomes. */
type Motion = 'parts' | 'whole';

/** What moves cannot be pressed or scrolled: a press on it is one on the page behind it. */
const giveWayToPointer = (transition: ViewTransition): void => {
  const over = new AbortController();
  const giveWay = (event: Event): void => {
    if (document.querySelector('dialog[open]') === null) transition.skipTransition();
    // Such a press would take the focus out of the modal.
    else if (event.type === 'mousedown') event.preventDefault();
  };
  for (const type of ['pointermove', 'pointerdown', 'mousedown', 'wheel'])
    addEventListener(type, giveWay, { signal: over.signal });
  void transition.finished.finally(() => over.abort());
};

/** Sizes change at once: a browser that has nothing but places to change needs no time of a busy page for it. */
const moveWithoutResizing = (): void => {
  for (const { effect } of document.getAnimations())
    if (effect instanceof KeyframeEffect && effect.pseudoElement?.startsWith('::view-transition-group'))
      effect.setKeyframes(
        effect.getKeyframes().map(({ offset, easing, transform }) => ({ offset, easing, transform })),
      );
};

/** In WebKit a page that moved in this way has crashed (WebKitGTK, at every lookup): it is changed at once there. */
const canMove = (): boolean =>
  'startViewTransition' in document &&
  navigator.vendor !== 'Apple Computer, Inc.' &&
  !matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Changes the page so that what is on it moves to where it will be: in browsers that can, for visitors who have nothing
 * against motion. Resolves when the page has changed, which is before anything moves.
 */
export const moveOn = async (change: () => void, motion: Motion = 'parts'): Promise<void> => {
  if (!canMove()) return change();
  document.documentElement.dataset['moves'] = motion;
  const transition = document.startViewTransition(() => flushSync(change));
  // On a page that is hidden, or changes again meanwhile, nothing moves.
  transition.ready.then(moveWithoutResizing, () => undefined);
  giveWayToPointer(transition);
  return transition.updateCallbackDone;
};
