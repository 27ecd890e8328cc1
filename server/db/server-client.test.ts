import { type AddressInfo, createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { ServerClient } from './server-client.ts';
import { Servers } from './servers.ts';

/** Accepts every login, and drops the connection at the first query: authentication ok (R), ready (Z), reset. */

const server = createServer((socket) => {
  socket.once('data', () => {
    socket.write(Buffer.from('520000000800000000' + '5a0000000549', 'hex'));
    socket.once('data', () => socket.resetAndDestroy());
  });
  socket.on('error', () => {});
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `postgresql://u@127.0.0.1:${(server.address() as AddressInfo).port}/d?target_session_attrs=read-write`;
afterAll(() => new Promise((resolve) => server.close(resolve)));

test('a server lost while it is asked whether it accepts writes fails the connection, not the process', async () => {
  const faults: unknown[] = [];
  const note = (fault: unknown) => faults.push(fault);
  process.on('uncaughtException', note);
  const client = new ServerClient({ servers: new Servers(url) });
  await expect(client.connect()).rejects.toThrow('ECONNRESET');
  await new Promise((resolve) => setImmediate(resolve));
  process.off('uncaughtException', note);
  expect(faults).toEqual([]);
});
