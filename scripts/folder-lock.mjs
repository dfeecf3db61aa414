import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';

/** The lock lasts while the descriptor is open, here or in a child. Without flock(1), as on macOS, there is none. */
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
