import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { createHttp, type Http } from '#server/http/server.ts';
import { patient } from '#test/app.ts';
import { testConfig } from './builders.ts';

const PROJECT = join(import.meta.dirname, '..');
const page = readFileSync(join(PROJECT, 'docs/security.md'), 'utf8');

describe('docs/security.md', () => {
  /** OWASP ASVS 5.0.0, levels 1 and 2: the last number of each section's requirements, or each of them where some are of level 3. */
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
  const chapters = page.split(/^### V/m).slice(1);
  const chapterOf = (chapter: number) => chapters.find((text) => text.startsWith(`${chapter} `)) ?? '';
  const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) +\|(.*)\|$/gm)].map(([, number = '', rest = '']) => {
    const [what = '', state = '', how = '', shown = ''] = rest.split(' | ').map((cell) => cell.trim());
    return { number, what, state, how, shown };
  });

  test('speaks of each requirement of level 2 once: met or not, or why it does not apply', () => {
    expect(required).toHaveLength(253);
    const spokenOf = Object.keys(sections).flatMap((chapter) => {
      const text = chapterOf(Number(chapter));
      const own = rows.map(({ number }) => number).filter((number) => number.startsWith(`${chapter}.`));
      const [, apart = ''] = text.split('Does not apply: ');
      if (apart.startsWith(`all of V${chapter}`)) return required.filter((number) => number.startsWith(`${chapter}.`));
      return [...own, ...[...apart.matchAll(/\d+\.\d+\.\d+/g)].map(([number]) => number)];
    });
    expect(spokenOf.toSorted()).toEqual(required.toSorted());
  });

  test('says of each what it is, and lists above what is not met', () => {
    for (const { number, what, state, how, shown } of rows) {
      expect([number, state]).toEqual([number, expect.stringMatching(/^(met|in part|not met)$/)]);
      expect(what.length, number).toBeGreaterThan(3);
      expect(how !== '–' || shown !== '–', number).toBe(true);
    }
    const [, listed = ''] = page.split('## What is not met');
    const before = listed.split('\n## ')[0] ?? '';
    const unmet = rows.filter(({ state }) => state === 'not met').map(({ number }) => number);
    expect(unmet.length).toBeGreaterThan(0);
    expect(unmet.filter((number) => !before.includes(number))).toEqual([]);
  });

  test('names tests that are there, by the names they have', () => {
    const named = [...page.matchAll(/`([\w./-]+\.(?:test\.tsx?|e2e\.ts))`: _(.+?)_(?=;| +\|)/g)];
    expect(named.length).toBeGreaterThan(100);
    const missing = named.filter(([, path = '', name = '']) => {
      const place = join(PROJECT, path);
      return !existsSync(place) || !readFileSync(place, 'utf8').replaceAll("\\'", "'").includes(name);
    });
    expect(missing.map(([text]) => text)).toEqual([]);
    for (const [, path] of page.matchAll(/`([\w./-]+\.(?:test|e2e)\.tsx?)`(?!: _)/g)) expect(path).toBeUndefined();
  });
});

describe('the edge', () => {
  let http: Http;

  beforeAll(async () => {
    const config = testConfig({ PUBLIC_URL: 'https://trade.example', TRUST_PROXY: '10.0.0.0/8' });
    http = await createHttp({ config, log: pino({ level: 'silent' }) } as Context, async () => undefined, patient);
    http.fastify.get('/where', async ({ ip, host }) => ({ ip, host }));
    await http.fastify.ready();
  });
  afterAll(() => http.fastify.close());

  test('a page and a call of an installation with https have all that browsers are told', async () => {
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

  test('whoever is no proxy of ours cannot say where a request comes from', async () => {
    const from = async (remoteAddress: string) => {
      const headers = { 'x-forwarded-for': '192.0.2.7' };
      return (await http.fastify.inject({ url: '/where', remoteAddress, headers })).json().ip;
    };
    expect(await from('203.0.113.5')).toBe('203.0.113.5');
    expect(await from('10.1.2.3')).toBe('192.0.2.7');
  });

  test('TRACE is not answered', async () => {
    const reply = await http.fastify.inject({ method: 'TRACE' as 'GET', url: '/where' });
    expect(reply.statusCode).toBe(404);
  });
});
