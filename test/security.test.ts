import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { createHttp, type Http } from '#server/http/server.ts';
import { patient } from '#test/worlds/app.ts';
import { testConfig } from '#test/worlds/builders.ts';
import { evidence } from './security-evidence.ts';

const PROJECT = join(import.meta.dirname, '..');
const page = readFileSync(join(PROJECT, 'docs/security.md'), 'utf8');

describe('docs/security.md', () => {
  /** OWASP ASVS 5.0.0, levels 1 and 2: the last requirement of each section, or all where some are of level 3. */
  const sections: Record<number, (number | number[])[]> = {
    1: [2, 9, 11, 3, 2],
    2: [3, 3, 4, 1],
    3: [0, 2, 4, 6, 5, 0, 2],
    4: [3, 1, 2, 4],
    5: [1, 3, 2, 3],
    6: [3, 12, 4, 4, 5, 3, 0, 4],
    7: [3, 4, 2, 5, 2, 2],
    8: [2, 3, 1, 1],
    9: [3, 4],
    10: [2, 2, [1, 2, 3, 4], 11, 5, 2, 3],
    11: [2, 3, 3, 4, 1, 1],
    12: [3, 2, 4],
    13: [1, 5, 2, 5],
    14: [2, 4, 3],
    15: [3, 3, 7],
    16: [1, 5, 4, 3, 3],
    17: [1, 4, 2],
  };
  const required = Object.entries(sections).flatMap(([chapter, counts]) =>
    counts.flatMap((count, index) =>
      (Array.isArray(count) ? count : Array.from({ length: count }, (_, at) => at + 1)).map(
        (at) => `${chapter}.${index + 1}.${at}`,
      ),
    ),
  );
  const [, unmet = ''] = page.split('## What is not met');
  const [, met = ''] = page.split('## OWASP ASVS');
  const numbersIn = (text: string) => [...text.matchAll(/\b\d+\.\d+\.\d+\b/g)].map(([number]) => number);
  /** Lines that start with numbers; several share a line when one thing proves them. */
  const linesOf = (text: string, rest: RegExp) =>
    [...(text.split('\n## ')[0] ?? '').matchAll(/^- (\d[\d., ]*\d)(.*)$/gm)].map(([, first = '', said = '']) => {
      const [, second = '', third = ''] = rest.exec(said) ?? [];
      return { numbers: numbersIn(first), second, third };
    });
  const unmetRows = linesOf(unmet, /^ (in part|not met): (.*)$/);
  const metRows = linesOf(met, /^: (.*) \((`[^`]*`)\)$/);

  test('lists each requirement of level 2 once: met, not met, or why it does not apply', () => {
    expect(required).toHaveLength(253);
    const [, apart = ''] = met.split('Does not apply: ');
    const wholeChapters = [...apart.matchAll(/all of V(\d+) \(/g)].map(([, chapter]) => chapter);
    const spokenOf = [
      ...[...unmetRows, ...metRows].flatMap(({ numbers }) => numbers),
      ...numbersIn(apart),
      ...required.filter((number) => wholeChapters.includes(number.split('.')[0])),
    ];
    expect(spokenOf.toSorted()).toEqual(required.toSorted());
  });

  test('states each requirement and its proof, and why any is not met', () => {
    expect(unmetRows.length).toBeGreaterThan(0);
    for (const { numbers, second, third } of unmetRows) {
      expect([numbers, second]).toEqual([numbers, expect.stringMatching(/^(in part|not met)$/)]);
      expect(third.length, numbers.join()).toBeGreaterThan(3);
    }
    for (const { numbers, second, third } of metRows) {
      expect(second.length, numbers.join()).toBeGreaterThan(3);
      const [, path = ''] = /^`([\w./-]+)`$/.exec(third) ?? [];
      expect([numbers, path, existsSync(join(PROJECT, path))]).toEqual([numbers, expect.stringMatching(/\//), true]);
    }
  });

  test('names a file with a test for each requirement that has one', () => {
    const shows = (number: string) =>
      Object.keys(evidence).filter((path) =>
        Object.values(evidence[path] ?? {}).some((numbers) => numbers.split(' ').includes(number)),
      );
    const wrong = metRows.flatMap(({ numbers, third }) =>
      numbers.filter((number) => shows(number).length > 0 && !shows(number).includes(third.replaceAll('`', ''))),
    );
    expect(wrong).toEqual([]);
    const known = new Set([...required, 'threat']);
    const shown = Object.values(evidence).flatMap((tests) => Object.values(tests).flatMap((text) => text.split(' ')));
    expect(shown.filter((number) => !known.has(number))).toEqual([]);
  });

  test('cites tests that exist, by their names', () => {
    const named = Object.entries(evidence).flatMap(([path, tests]) =>
      Object.keys(tests).map((name) => ({ path, name })),
    );
    expect(named.length).toBeGreaterThan(100);
    const missing = named.filter(({ path, name }) => {
      const place = join(PROJECT, path);
      return !existsSync(place) || !readFileSync(place, 'utf8').replaceAll("\\'", "'").includes(name);
    });
    expect(missing).toEqual([]);
    const cited = [...page.matchAll(/`([\w./-]+\.(?:test|e2e)\.tsx?)`/g)].map(([, path = '']) => path);
    expect(cited.filter((path) => !(path in evidence))).toEqual([]);
  });
});

describe('HTTP security', () => {
  let http: Http;

  beforeAll(async () => {
    const config = testConfig({ PUBLIC_URL: 'https://trade.example', TRUST_PROXY: '10.0.0.0/8' });
    http = await createHttp({ config, log: pino({ level: 'silent' }) } as Context, async () => undefined, patient);
    http.fastify.get('/where', async ({ ip, host }) => ({ ip, host }));
    await http.fastify.ready();
  });
  afterAll(() => http.fastify.close());

  test('with https every page and call has the security headers', async () => {
    for (const url of ['/where', '/api/v1/nothing']) {
      const { headers } = await http.fastify.inject({ url, headers: { origin: 'https://elsewhere.example' } });
      expect(headers).toMatchObject({
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      for (const part of [
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        'upgrade-insecure-requests',
      ])
        expect(headers['content-security-policy']).toContain(part);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers).not.toHaveProperty('x-powered-by');
    }
    const call = await http.fastify.inject('/api/v1/nothing');
    expect(call.headers['cache-control']).toBe('no-store');
  });

  test('an untrusted proxy cannot set a request’s address', async () => {
    const from = async (remoteAddress: string) => {
      const headers = { 'x-forwarded-for': '192.0.2.7' };
      return (await http.fastify.inject({ url: '/where', remoteAddress, headers })).json().ip;
    };
    expect(await from('203.0.113.5')).toBe('203.0.113.5');
    expect(await from('10.1.2.3')).toBe('192.0.2.7');
  });

  test('TRACE is refused', async () => {
    const reply = await http.fastify.inject({ method: 'TRACE' as 'GET', url: '/where' });
    expect(reply.statusCode).toBe(404);
  });
});
