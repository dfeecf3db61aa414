// Rebuilds whenever a source changes, and then restarts the server, which runs from its sources.
import { spawn } from 'node:child_process';

const children = [
  ['vite', 'build', '--watch', '--logLevel=warn'],
  ['vite', 'build', '--ssr', '--watch', '--logLevel=warn'],
  ['node', '--disable-sigusr1', '--watch-path=dist', 'src/server/main.ts'],
].map(([command, ...args]) => spawn(command, args, { stdio: 'inherit' }));

const stopAll = () => children.forEach((child) => child.kill('SIGTERM'));
process.once('SIGINT', stopAll).once('SIGTERM', stopAll);
children.forEach((child) => child.once('exit', stopAll));
