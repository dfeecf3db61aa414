// Part of every page, run before the first paint. Keeps the last press on a button whose code has not loaded, and repeats
// it once the code is ready: that of the frame (entry-frame.ts) or of the content (app.tsx). If it does not load, the
// browser handles the press by itself.
{
  const ready = new Set();
  let pressed;

  const partOf = (button) => (button.closest('#root') === null ? 'frame' : 'app');

  const keep = (event) => {
    const button = event.target.closest('button');
    if (button === null || ready.has(partOf(button))) return;
    pressed = button;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', keep, true);

  const press = () => {
    const button = pressed;
    pressed = undefined;
    button.click();
  };
  addEventListener('interactive', ({ detail: part }) => {
    ready.add(part);
    if (pressed && partOf(pressed) === part) press();
  });

  const release = () => {
    removeEventListener('click', keep, true);
    if (pressed) press();
  };
  // A form then loads the page again.
  addEventListener('unhandledrejection', release);
  addEventListener('error', (event) => event.target.localName === 'script' && release(), true);
}
