// Loaded into a server before it starts: at each SIGUSR2 the next of THROW_FROM fails where nobody catches it.
import { Worker } from 'node:worker_threads';

const fail = () => {
  throw new TypeError('Canary of a crash');
};

const throwFrom = {
  timer: () => setTimeout(fail, 1),
  rejection: () => void Promise.resolve().then(fail),
  worker: () => new Worker('throw new TypeError("Canary of a crash")', { eval: true }),
  'database callback': () => (Worker.prototype.emit = fail),
  'admin handler': () => (process.memoryUsage = process.cpuUsage = fail),
};

const next = process.env.THROW_FROM.split(',').values();
process.on('SIGUSR2', () => throwFrom[next.next().value]());
