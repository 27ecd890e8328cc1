import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listenAt } from '#server/ports.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';
import { startServer } from '#test/kit/server-process.ts';

async function takePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test.each(['PORT', 'METRICS_PORT'] as const)(
  'a %s in use is one clear line and a failure, before anything is opened or written',
  async (setting) => {
    const port = await takePort();
    const folder = mkdtempSync(join(scratchFolder(), 'tradewind-port-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const error = await startServer({ [setting]: String(port), DATA_DIR: folder }).then(
      async (server) => {
        await server.kill();
        throw new Error('It started.');
      },
      (reason: Error) => reason,
    );
    expect(error.message).toBe(
      `The server did not become ready:\n${setting}: cannot listen on 127.0.0.1:${port}, another program listens there already\n`,
    );
    expect(error.cause).toMatchObject({ message: 'exit 1' });
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('an unknown host name is such a line, too', async () => {
  const place = { setting: 'PORT', host: 'nowhere.invalid', port: 0 } as const;
  const listen = async () => once(createServer().listen(place), 'listening');
  await expect(listenAt(place, listen)).rejects.toThrow(/^HOST: cannot listen on nowhere\.invalid:0, /);
  const metrics = { ...place, setting: 'METRICS_PORT' } as const;
  await expect(listenAt(metrics, listen)).rejects.toThrow(/^METRICS_HOST: cannot listen on nowhere\.invalid:0, /);
});

test('a port taken between the first check and the start is the same line', async () => {
  const port = await takePort();
  const place = { setting: 'PORT', host: '127.0.0.1', port } as const;
  const listen = async () => once(createServer().listen(port, '127.0.0.1'), 'listening');
  await expect(listenAt(place, listen)).rejects.toThrow(/^PORT: cannot listen on 127\.0\.0\.1:\d+, another program/);
});

test('a server that ends is not ready because another replies at its port', async () => {
  const other = createHttpServer((_request, reply) => reply.end()).listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const ending = ['-e', 'setTimeout(() => process.exit(3), 1000)'];
  const starting = startServer({ PORT: String(port) }, 120, ending);
  await expect(starting).rejects.toMatchObject({ cause: { message: 'exit 3' } });
});
