import { flushSync } from 'react-dom';

/** Whether the named parts move separately, or the whole page fades into the next one. */
type Motion = 'parts' | 'whole';

/** During a transition nothing can be pressed or scrolled, so the pointer ends it. */
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

/** Changes sizes at once and animates only positions: the compositor does that even while the page is busy. */
const moveWithoutResizing = (): void => {
  for (const { effect } of document.getAnimations())
    if (effect instanceof KeyframeEffect && effect.pseudoElement?.startsWith('::view-transition-group'))
      effect.setKeyframes(
        effect.getKeyframes().map(({ offset, easing, transform }) => ({ offset, easing, transform })),
      );
};

/** Not in WebKit: WebKitGTK crashed at every lookup. */
const canMove = (): boolean =>
  'startViewTransition' in document &&
  navigator.vendor !== 'Apple Computer, Inc.' &&
  !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Changes that the browser was asked to move, while it still keeps a picture of what was there before. */
let asked: { readonly changes: (() => void)[]; readonly done: Promise<void> } | undefined;

/**
 * Changes the page with a view transition, in browsers that have them and for visitors who have nothing against motion.
 * Resolves when the page has changed, which is before anything moves.
 */
export const moveOn = async (change: () => void, motion: Motion = 'parts'): Promise<void> => {
  if (!canMove()) return change();
  if (asked) {
    asked.changes.push(change);
    return asked.done;
  }
  document.documentElement.dataset['moves'] = motion;
  const changes = [change];
  const transition = document.startViewTransition(() => {
    asked = undefined;
    flushSync(() => {
      for (const one of changes) one();
    });
  });
  asked = { changes, done: transition.updateCallbackDone };
  // On a page that is hidden, or changes again meanwhile, nothing moves.
  transition.ready.then(moveWithoutResizing, () => undefined);
  giveWayToPointer(transition);
  return transition.updateCallbackDone;
};
