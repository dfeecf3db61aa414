import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './browser-test.ts';

/** Colours on their way from one to another are not what people see. */
const animationsFinished = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });

const NOTHING = 'void 0';

/** It is half a megabyte: once is enough for a page. */
const axeFor = async (page: Page): Promise<AxeBuilder> =>
  new AxeBuilder((await page.evaluate(() => 'axe' in window)) ? { page, axeSource: NOTHING } : { page });

type Violations = [rule: string, elements: string[]][];

const violationsOn = async (page: Page, rules: string[]): Promise<Violations> => {
  await animationsFinished(page);
  // The other mode opens a page of its own to put the results of frames together. There are no frames.
  // What passes is counted only: to describe each element of it would take most of the time.
  const axe = (await axeFor(page)).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (rules.length > 0 ? axe.withRules(rules) : axe).analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
};

/**
 * Looks again for a while, because what is only passing is not what people see. Softly: the test fails in the end, and
 * tells of the others before.
 */
export const expectNoAxeViolations = (page: Page, rules: string[] = []): Promise<void> =>
  expect
    .configure({ soft: true })
    .poll(() => violationsOn(page, rules))
    .toEqual([]);
