import { describe, expect, it } from 'vitest';
import { createThemeChoice } from './theme-choice.ts';

const setUp = ({ systemIsDark = false, chosen }: { systemIsDark?: boolean; chosen?: string } = {}) => {
  const dataset: DOMStringMap = chosen === undefined ? {} : { theme: chosen };
  const systemDark = Object.assign(new EventTarget(), { matches: systemIsDark });
  const page = new EventTarget();
  const remembered: (string | undefined)[] = [];
  const choice = createThemeChoice({
    root: { dataset },
    systemDark,
    page,
    remember: (theme) => void remembered.push(theme),
  });
  const setSystem = (dark: boolean): void => {
    systemDark.matches = dark;
    systemDark.dispatchEvent(new Event('change'));
  };
  return { choice, dataset, page, remembered, setSystem };
};

describe('the choice of a theme', () => {
  it('follows the system until it is made', () => {
    const { choice, setSystem } = setUp();
    let changes = 0;
    const leave = choice.subscribe(() => void (changes += 1));
    expect(choice.isDark()).toBe(false);
    setSystem(true);
    expect(choice.isDark()).toBe(true);
    expect(changes).toBe(1);
    leave();
    setSystem(false);
    expect(changes).toBe(1);
  });

  it('holds against the system and is remembered', () => {
    const { choice, dataset, remembered, setSystem } = setUp();
    choice.setDark(true);
    expect(dataset).toEqual({ theme: 'dark' });
    expect(remembered).toEqual(['dark']);
    setSystem(true);
    setSystem(false);
    expect(choice.isDark()).toBe(true);
  });

  it('is given up when it is what the system has', () => {
    const { choice, dataset, remembered } = setUp({ systemIsDark: true, chosen: 'light' });
    expect(choice.isDark()).toBe(false);
    choice.setDark(true);
    expect(dataset).toEqual({});
    expect(remembered).toEqual([undefined]);
  });

  it.each(['storage', 'pageshow'])('hears of one that was made on another page at %s', (event) => {
    const { choice, dataset, page } = setUp();
    const heard: boolean[] = [];
    const leave = choice.subscribe(() => void heard.push(choice.isDark()));
    dataset['theme'] = 'dark';
    page.dispatchEvent(new Event(event));
    leave();
    page.dispatchEvent(new Event(event));
    expect(heard).toEqual([true]);
  });

  it('tells its listeners', () => {
    const { choice } = setUp();
    const heard: boolean[] = [];
    const leave = choice.subscribe(() => void heard.push(choice.isDark()));
    choice.setDark(true);
    leave();
    choice.setDark(false);
    expect(heard).toEqual([true]);
  });
});
