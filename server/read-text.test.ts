import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { readText } from './read-text.ts';

const respond = async (body: Buffer, encoding = 'identity'): Promise<Response> => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-encoding': encoding });
    // In two pieces, in the middle of a character.
    response.write(body.subarray(0, 2));
    response.end(body.subarray(2));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
};

test('a text is read to its end, whatever it is split or compressed into', async () => {
  const text = 'a–é €';
  expect(await readText(await respond(Buffer.from(text)))).toBe(text);
  expect(await readText(await respond(gzipSync(text), 'gzip'))).toBe(text);
  expect(await readText(new Response(null))).toBe('');
});

test('a longer one is refused as soon as it is too long, however short it is compressed', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  expect(bomb.length).toBeLessThan(100_000);
  await expect(readText(await respond(bomb, 'gzip'))).rejects.toThrow('longer than 33554432 bytes');
  await expect(readText(new Response('12345'), 4)).rejects.toThrow('longer than 4 bytes');
  expect(await readText(new Response('1234'), 4)).toBe('1234');
});
