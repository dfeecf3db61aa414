import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The same site at another address, where no worker may compile WebAssembly. */
export const startWithoutWasm = async (origin: string): Promise<AsyncDisposable & { origin: string }> => {
  const server = createServer((question, answer) => {
    const { method, headers, url = '/' } = question;
    const passOn = send(new URL(url, origin), { method, headers }, (response) => {
      const policy = String(response.headers['content-security-policy']).replace(
        "'wasm-unsafe-eval'",
        "'none'",
      );
      answer.writeHead(response.statusCode ?? 502, {
        ...response.headers,
        'content-security-policy': policy,
      });
      response.pipe(answer);
    });
    question.pipe(passOn);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
