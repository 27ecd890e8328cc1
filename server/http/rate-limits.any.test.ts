import { beforeEach, expect, test } from 'vitest';
import { identity } from '#contract/accounts/sign-in.ts';
import { endpoint } from '#contract/endpoint.ts';
import type { Caller } from '#server/caller.ts';
import { patient } from '#test/worlds/app.ts';
import { appInfo, makeWebFolder, openContext } from './http-world.test-setup.ts';
import { mount } from './mount.ts';
import { createHttp, type Http } from './server.ts';
import { serveWeb } from './web-files.ts';

const LIMIT = 40;
const SIGN_IN_LIMIT = 10;
const FILES_OF_A_PAGE = 152;

const rows = {
  own: endpoint({ method: 'GET', path: '/test/own', access: 'member', summary: '' }),
  findSponsor: identity.findSponsor,
  office: endpoint({ method: 'GET', path: '/test/office', access: ['admin'], summary: '' }),
};
const memberToken = (id: number) => `member-token-${String(id).padStart(10, '0')}`;
const tokens = Array.from({ length: 20 }, (_, id) => memberToken(id));

const files = Array.from({ length: FILES_OF_A_PAGE }, (_, index) => `/assets/part-${index}.js`);
const webDir = makeWebFolder(Object.fromEntries(files.map((file) => [file, 'export {};'])));
const context = await openContext({ env: { RATE_LIMIT: String(LIMIT), SIGN_IN_LIMIT: String(SIGN_IN_LIMIT) }, webDir });
let http: Http;
let lookUps: number;

beforeEach(async () => {
  lookUps = 0;
  const findCaller = async (token: string): Promise<Caller | undefined> => {
    lookUps += 1;
    const id = tokens.indexOf(token);
    return id < 0 ? undefined : { kind: 'member', memberId: BigInt(id), authSessionId: 1n };
  };
  http = await createHttp(context, findCaller, patient);
  mount(http, rows, {
    own: async () => null,
    findSponsor: async () => ({ name: 'Anika Rao' }),
    office: async () => null,
  });
  await serveWeb(http, () => appInfo);
  await http.fastify.ready();
  return () => http.fastify.close();
});

const ask = async (url: string, token?: string, remoteAddress = '203.0.113.7') => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return (await http.fastify.inject({ url, headers, remoteAddress })).statusCode;
};
const askOften = async (times: number, call: (index: number) => Promise<number>) => {
  const statuses = new Map<number, number>();
  for (let index = 0; index < times; index += 1) {
    const status = await call(index);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return Object.fromEntries(statuses);
};

test('calls with unknown tokens are limited by address, whatever the tokens; past it none is looked up', async () => {
  const statuses = await askOften(3 * LIMIT, (index) => ask('/api/v1/test/own', `unknown-token-${index}-aaaaaaaa`));
  expect(statuses).toEqual({ 401: LIMIT, 429: 2 * LIMIT });
  expect(lookUps).toBe(LIMIT);
  expect(await ask('/api/v1/test/own', 'unknown-token-aaaaaaaaaa', '203.0.113.8')).toBe(401);
});

test('forbidden calls are limited as well', async () => {
  const statuses = await askOften(3 * LIMIT, () => ask('/api/v1/test/office', tokens[0]));
  expect(statuses[403]).toBeLessThanOrEqual(LIMIT + 1);
  expect(statuses[429]).toBeGreaterThan(LIMIT);
});

test('names of Invitation Ids are limited like sign-ins, for each address', async () => {
  const url = '/api/v1/auth/get-refer?referralCode=TWNOBODY22';
  const lookUp = () => ask(url);
  expect(await askOften(3 * SIGN_IN_LIMIT, lookUp)).toEqual({ 200: SIGN_IN_LIMIT, 429: 2 * SIGN_IN_LIMIT });
  expect(await ask(url, undefined, '203.0.113.8')).toBe(200);
});

test('sign-ins of an address share one limit, whatever tokens it has: a known one allows no more', async () => {
  for (const token of tokens) expect(await ask('/api/v1/test/own', token)).toBe(200);
  const url = '/api/v1/auth/get-refer?referralCode=TWNOBODY22';
  const statuses = await askOften(3 * SIGN_IN_LIMIT, (index) => ask(url, tokens[index % tokens.length]));
  expect(statuses).toEqual({ 200: SIGN_IN_LIMIT, 429: 2 * SIGN_IN_LIMIT });
});

test('addresses that do not exist are limited as well', async () => {
  expect(await askOften(2 * LIMIT, (index) => ask(`/api/v1/none-${index}`))).toEqual({ 404: LIMIT, 429: LIMIT });
});

test('a signed-in caller keeps their own limit while somebody floods from the same address', async () => {
  expect(await ask('/api/v1/test/own', tokens[0])).toBe(200);
  await askOften(2 * LIMIT, () => ask('/api/v1/test/own', 'unknown-token-aaaaaaaaaa'));
  expect(await ask('/api/v1/test/own', tokens[0])).toBe(200);
  expect(await askOften(2 * LIMIT, () => ask('/api/v1/test/own', tokens[0]))).toEqual({
    200: LIMIT - 1,
    429: LIMIT + 1,
  });
});

test('an office of twenty opens its pages at once: built files are not counted', async () => {
  for (const token of tokens) {
    expect(await ask('/dashboard')).toBe(200);
    expect(await askOften(files.length, (index) => ask(files[index] as string))).toEqual({ 200: files.length });
    expect(await askOften(15, () => ask('/api/v1/test/own', token))).toEqual({ 200: 15 });
  }
});
