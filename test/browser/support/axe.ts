import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
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

const SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

type PageWithAxe = typeof globalThis & { readonly axe: typeof axe };
type Violations = [rule: string, elements: string[]][];

const violationsOn = async (page: Page, rules: string[]): Promise<Violations> => {
  await animationsFinished(page);
  // It is half a megabyte: once is enough for a page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  return page.evaluate(async (values) => {
    const { violations } = await (globalThis as PageWithAxe).axe.run({
      // What passes is counted only: to describe each element of it would take most of the time.
      resultTypes: ['violations'],
      ...(values.length > 0 && { runOnly: { type: 'rule', values } }),
    });
    return violations.map(({ id, nodes }): [string, string[]] => [id, nodes.map(({ html }) => html)]);
  }, rules);
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
