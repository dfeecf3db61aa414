import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';

/**
 * Waits until no other process prepares this folder, and locks it. The kernel holds the lock on the folder for as long as
 * the descriptor is open, here or in a child that was given it, so that nothing is left of one that was killed. Without
 * flock(1), as on macOS, two at once are not kept apart.
 */
export const lockFolder = (folder, say) => {
  const descriptor = openSync(folder, 'r');
  const flock = (...options) =>
    spawnSync('flock', [...options, '3'], { stdio: ['ignore', 'ignore', 'ignore', descriptor] }).status;
  if (flock('--nonblock') === 1) {
    say('Waiting for another setup in this folder…');
    flock();
  }
  return descriptor;
};
