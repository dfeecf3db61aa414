import { armsOf } from '../../ui/growing-flake.tsx';

const STEM = 46;
const FIRST_BRANCH = 12;
const BRANCHES = 4;
const BETWEEN_BRANCHES = 8;
const LENGTH_STEP = 4;
const TIMESTAMP_SHIFT = 22n;

const bitsOf = (id: string): number => {
  const value = BigInt(id);
  return Number(((value >> TIMESTAMP_SHIFT) ^ (value << 3n)) & 0xffffn);
};

/** A path around 0 0 that reaches 46 units far. */
export const flakePath = (id: string): string => {
  const bits = bitsOf(id);
  const branches = Array.from({ length: BRANCHES }, (_, branch) => {
    const length = ((bits >> (branch * 2)) & 3) * LENGTH_STEP;
    const root = -(FIRST_BRANCH + branch * BETWEEN_BRANCHES);
    const [side, tip] = [length * Math.sin(Math.PI / 3), root - length / 2];
    return length === 0 ? '' : `M0 ${root}L${-side} ${tip}M0 ${root}L${side} ${tip}`;
  });
  return armsOf(`M0 0L0 -${STEM}${branches.join('')}`).join('');
};
