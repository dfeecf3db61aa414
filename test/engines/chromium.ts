import { chromium, type Browser, type LaunchOptions, type Page } from '@playwright/test';
import { asPageCode, type Engine, type InputSource, type Tab } from './engine.ts';

/** The engine that all other browser tests run in, asked in the same few words as the others. */
export const startChromium = async (options: LaunchOptions): Promise<Engine> => {
  const browser = await chromium.launch(options);
  return { openTab: () => openTab(browser), [Symbol.asyncDispose]: () => browser.close() };
};

const openTab = async (browser: Browser): Promise<Tab> => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    // Others let a press copy without asking.
    permissions: ['clipboard-write'],
  });
  const page = await context.newPage();
  return {
    goTo: async (url) => void (await page.goto(url)),
    run: async <Args extends readonly unknown[], T>(task: (...args: Args) => T, ...args: Args) => {
      const json = JSON.stringify(JSON.stringify(args));
      return JSON.parse(await page.evaluate<string>(`(${asPageCode(task)})(${json})`)) as T;
    },
    act: async (sources) => {
      for (const source of sources) await act(page, source);
    },
    traverseHistory: async (delta) => void (await (delta < 0 ? page.goBack() : page.goForward())),
    [Symbol.asyncDispose]: () => context.close(),
  };
};

/** WebDriver has characters for the keys that write none. */
const KEY_NAMES: Readonly<Record<string, string>> = {
  '\uE004': 'Tab',
  '\uE007': 'Enter',
  '\uE009': 'Control',
  '\uE00C': 'Escape',
};

const act = async (page: Page, source: InputSource): Promise<void> => {
  if (source.type === 'key') {
    for (const { type, value } of source.actions) {
      const key = KEY_NAMES[value] ?? value;
      await (type === 'keyDown' ? page.keyboard.down(key) : page.keyboard.up(key));
    }
    return;
  }
  for (const action of source.actions) {
    if (action.type === 'pointerMove') await page.mouse.move(action.x, action.y);
    else await (action.type === 'pointerDown' ? page.mouse.down() : page.mouse.up());
  }
};
