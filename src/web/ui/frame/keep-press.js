// Stands in every page and runs before the first paint. The last press before the page's code is there is kept and made
// once the code says that it is, see app.tsx; if it fails to come, the browser does with the press what it can.
{
  let pressed;

  const keep = (event) => {
    const button = event.target.closest('button');
    if (button === null) return;
    pressed = button;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', keep, true);

  const release = () => {
    removeEventListener('click', keep, true);
    pressed?.click();
    pressed = undefined;
  };
  addEventListener('interactive', release);

  // A form then loads the page again, which goes on with what was pressed, see id-field.ts.
  const giveUp = () => {
    try {
      if (pressed) sessionStorage.setItem('pressed', '');
    } catch {
      // Storage is forbidden: the visitor presses once more.
    }
    release();
  };
  addEventListener('unhandledrejection', giveUp);
  addEventListener('error', (event) => event.target.localName === 'script' && giveUp(), true);
}
