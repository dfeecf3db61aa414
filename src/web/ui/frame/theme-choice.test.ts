import { describe, expect, it } from 'vitest';
import { createThemeChoice } from './theme-choice.ts';

const setUp = ({ systemIsDark = false, chosen }: { systemIsDark?: boolean; chosen?: string } = {}) => {
  const dataset: DOMStringMap = chosen === undefined ? {} : { theme: chosen };
  const systemDark = Object.assign(new EventTarget(), { matches: systemIsDark });
  const page = new EventTarget();
  const remembered: (string | undefined)[] = [];
  const told: boolean[] = [];
  const { toggle } = createThemeChoice({
    root: { dataset },
    systemDark,
    page,
    remember: (theme) => void remembered.push(theme),
    tell: (dark) => void told.push(dark),
  });
  const setSystem = (dark: boolean): void => {
    systemDark.matches = dark;
    systemDark.dispatchEvent(new Event('change'));
  };
  return { toggle, dataset, page, remembered, told, setSystem };
};

describe('the choice of a theme', () => {
  it('follows the system until it is made', () => {
    const { told, setSystem } = setUp();
    setSystem(true);
    expect(told).toEqual([false, true]);
  });

  it('holds against the system and is remembered', () => {
    const { toggle, dataset, remembered, told, setSystem } = setUp();
    toggle();
    expect(dataset).toEqual({ theme: 'dark' });
    expect(remembered).toEqual(['dark']);
    setSystem(true);
    setSystem(false);
    expect(told).toEqual([false, true, true, true]);
  });

  it('is given up when it is what the system has', () => {
    const { toggle, dataset, remembered, told } = setUp({ systemIsDark: true, chosen: 'light' });
    toggle();
    expect(dataset).toEqual({});
    expect(remembered).toEqual([undefined]);
    expect(told).toEqual([false, true]);
  });

  it.each(['storage', 'pageshow'])('hears of one that was made on another page at %s', (event) => {
    const { dataset, page, told } = setUp();
    dataset['theme'] = 'dark';
    page.dispatchEvent(new Event(event));
    expect(told).toEqual([false, true]);
  });
});
