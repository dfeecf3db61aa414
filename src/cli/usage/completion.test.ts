import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';

const { ops } = useOperator();
const completed = async (...words: string[]) => (await ops(['completion', ...words])).stdout;

it.each([
  ['help vault r', ['rotate', 'retire']],
  ['vanity resume --re', ['--repin']],
  ['tokens list --y', []],
  ['withdrawn ', ['merge', 'hold', 'release']],
])('for “%s” the completion offers %j', async (line, words) => {
  const offers = await completed('bash', `ops ${line}`);
  expect(offers.split('\n').flatMap((offer) => offer.split(':', 1).filter(Boolean))).toEqual(words);
});

it('bash asks ops for the last word of a line', async () => {
  const line = "ops() { echo 'vault:rotate'; }; COMP_WORDS=(ops va); COMP_CWORD=1; _ops; echo $COMPREPLY";
  const script = `${await completed('bash')}\n${line}`;
  expect(spawnSync('bash', ['-c', script], { encoding: 'utf8' })).toMatchObject({
    stdout: 'vault\n',
    stderr: '',
  });
});
