// Loaded into a server before it starts: at SIGUSR2 what THROW_FROM names fails where nobody catches it.
import { Worker } from 'node:worker_threads';

const fail = () => {
  throw new TypeError('Canary of a crash');
};

const throwFrom = {
  timer: () => setTimeout(fail, 1),
  rejection: () => void Promise.resolve().then(fail),
  worker: () => new Worker('throw new TypeError("Canary of a crash")', { eval: true }),
  'database callback': () => (Worker.prototype.emit = fail),
};

process.on('SIGUSR2', () => throwFrom[process.env.THROW_FROM]());
