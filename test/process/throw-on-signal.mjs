// Loaded into a server before it starts: on SIGUSR2 something fails where nobody catches it.
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';

const failure = () => new TypeError('Canary of a crash');

const throwFrom = {
  timer: () =>
    setTimeout(() => {
      throw failure();
    }, 1),
  rejection: () => void Promise.reject(failure()),
  stream: () =>
    new Readable({
      read() {
        this.destroy(failure());
      },
    }).resume(),
  worker: () => new Worker('throw new TypeError("Canary of a crash")', { eval: true }),
  'database callback': () => {
    Worker.prototype.emit = () => {
      throw failure();
    };
  },
  'admin handler': () => {
    process.memoryUsage = () => {
      throw failure();
    };
    process.cpuUsage = process.memoryUsage;
  },
};

process.on('SIGUSR2', () => throwFrom[process.env.THROW_FROM]());
