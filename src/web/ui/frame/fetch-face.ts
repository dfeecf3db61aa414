/** Safari has no callback for idle time. */
const whenIdle = (task: () => void): void => {
  if ('requestIdleCallback' in window) requestIdleCallback(task);
  else setTimeout(task, 1_000);
};

/** Fetches the typeface for the next page, where `choose-face.js` uses it. */
export const fetchFace = (page: Document): void => {
  whenIdle(() => {
    void page.fonts
      .load('1em Figtree', page.querySelector('main')?.textContent ?? '')
      // For this tab only, so nothing stays in the browser.
      .then(() => sessionStorage.setItem('face', ''))
      .catch(() => undefined);
  });
};
