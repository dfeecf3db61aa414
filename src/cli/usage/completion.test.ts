import { expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';

const { ops } = useOperator();
const completed = async (...words: string[]) => (await ops(['completion', ...words])).stdout;

it.each([
  ['help vault r', ['rotate', 'retire']],
  ['withdrawn ', ['merge', 'hold', 'release']],
])('for “%s” the completion offers %j', async (line, words) => {
  const offers = await completed('bash', `ops ${line}`);
  expect(offers.split('\n').flatMap((offer) => offer.split(':', 1).filter(Boolean))).toEqual(words);
});
