// Part of every page, run before the first paint. Keeps the last press before the page's code has loaded, and repeats it
// once the code is ready (see app.tsx). If the code does not load, the browser handles the press by itself.
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

  // A form then loads the page again.
  addEventListener('unhandledrejection', release);
  addEventListener('error', (event) => event.target.localName === 'script' && release(), true);
}
