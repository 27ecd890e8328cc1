import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { allEndpoints } from '#contract/index.ts';
import { createApp } from '#server/app.ts';
import { listRows } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { askOf, patient } from '#test/worlds/app.ts';
import { signUp } from '#test/worlds/members.ts';

/**
 * Driven by the endpoint table: a call added there is covered without a line here. Each field of each body and query
 * is replaced by an invalid value; the response is a 4xx that names the field, and nothing changes.
 */
const { context, database } = closeAfterAll(await bootWithoutMarket('2026-03-04T12:00:00Z'));
const fastify = closeAfterAll((await createApp(context, patient)).fastify);
await fastify.ready();
const ask = askOf(fastify);
const memberToken = (await signUp(context)).token;
// Startup counts as event loop delay; soon it is over.
await vi.waitFor(async () => expect((await fastify.inject('/healthz')).statusCode).toBe(200), 10_000);

type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
};

const schemaOf = (type: z.ZodType) => z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema;
/** A union is tried in each of its forms. */
const forms = (schema: Schema): Schema[] =>
  (schema.anyOf ?? schema.oneOf ?? [schema]).filter((form) => form.properties);

/** A value of the right type; the rest of the request need not be valid to see one field refused. */
function sample(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const form = schema.anyOf?.[0] ?? schema;
  if (form !== schema) return sample(form);
  return { string: 'TW23456789', number: 5, integer: 5, boolean: true, array: [], object: {} }[
    String([schema.type].flat()[0])
  ];
}

/** JSON texts that are invalid for a field of that type. */
function badTexts(schema: Schema): [name: string, json: string][] {
  const type = String([schema.anyOf?.[0]?.type ?? schema.type].flat()[0]);
  const deep: [string, string] = ['deep', `${'['.repeat(12)}${']'.repeat(12)}`];
  const wrong: [string, string][] = [['an object', '{"a":1}'], ['an array', '[1]'], deep];
  if (type === 'string') {
    return [
      ...wrong,
      ['a number', '5'],
      ['true', 'true'],
      ['control characters', '"a\\u0000\\u001b[31m\\r\\nb"'],
      ['huge', `"${'x'.repeat(30_000)}"`],
    ];
  }
  if (type === 'number' || type === 'integer') {
    const texts = [
      '"5"',
      'true',
      '1e309',
      '-1e309',
      '-0',
      '-5',
      '0.0000001',
      '1e300',
      '5.0000000000000000001',
      '9007199254740993',
    ];
    return [...wrong, ...texts.map((text): [string, string] => [text, text])];
  }
  if (type === 'boolean') return [...wrong, ['a string', '"true"'], ['a number', '1']];
  return [['a number', '5'], ['a string', '"x"'], deep];
}

type Case = { call: string; row: Endpoint; field: string; name: string; payload: string };

function casesOf(call: string, row: Endpoint): Case[] {
  if (row.body === undefined)
    return [{ call, row, field: 'surplus', name: 'a body where none belongs', payload: '{"surplus":1}' }];
  return forms(schemaOf(row.body)).flatMap((form) => {
    const fields = Object.entries(form.properties ?? {});
    const whole = Object.fromEntries(fields.map(([field, schema]) => [field, sample(schema)]));
    const write = (field: string, json: string | undefined) =>
      `{${fields.flatMap(([name]) => (name === field ? (json === undefined ? [] : [`"${name}":${json}`]) : [`"${name}":${JSON.stringify(whole[name])}`])).join(',')}}`;
    const bad = fields.flatMap(([field, schema]) =>
      badTexts(schema).map(([name, json]): Case => ({ call, row, field, name, payload: write(field, json) })),
    );
    const missing = (form.required ?? []).map(
      (field): Case => ({ call, row, field, name: 'missing', payload: write(field, undefined) }),
    );
    const extra: Case = {
      call,
      row,
      field: 'surplus',
      name: 'unknown',
      payload: JSON.stringify({ ...whole, surplus: 1 }),
    };
    return [...bad, ...missing, extra];
  });
}

const withBody = allEndpoints.filter(({ row }) => (row.method === 'POST' || row.method === 'PUT') && !row.rawBody);
const isOperators = (row: Endpoint) => typeof row.access !== 'string';

/**
 * Most of these requests are refused before anything is awaited. The event loop must turn all the same, or the server
 * considers itself overloaded and answers 503.
 */
async function send(row: Endpoint, payload: string | undefined, token: string | undefined, query = '') {
  await setImmediate();
  return ask(row.method, `${row.path.slice(1).replaceAll(/:\w+/g, '1')}${query}`, { token, body: payload });
}

/** Row counts of every table that a call can write to; equal before and after means that nothing changed. */
async function countRows(): Promise<Record<string, string>> {
  const tables = await listRows(database.db)<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'pgboss', 'market') order by 1`;
  const counts: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ n: bigint }>`select count(*) as n from ${sql.raw(name)}`.execute(database.db);
    counts[name] = String(rows[0]?.n);
  }
  return counts;
}

/** How messages of zod begin. Ours are written for people. */
const VALIDATORS_OWN = /"message":"(?:Invalid [a-z]|Too (?:big|small): |Unrecognized )/;

describe('malformed bodies', () => {
  for (const { name: call, row } of withBody.filter((entry) => !isOperators(entry.row))) {
    test(`${call}: every field refuses invalid values, and nothing changes`, async () => {
      const before = await countRows();
      for (const { field, name, payload } of casesOf(call, row)) {
        const reply = await send(row, payload, row.access === 'member' ? memberToken : undefined);
        const about = `${field} ${name}: ${reply.status} ${reply.text.slice(0, 300)}`;
        expect(reply.status, about).toBeGreaterThanOrEqual(400);
        expect(reply.status, about).toBeLessThan(500);
        if (reply.status !== 422) continue;
        const fields = (reply.body.validation_results ?? []) as { field: string }[];
        expect(
          fields.some((found) => found.field === field || found.field.startsWith(`${field}.`)),
          about,
        ).toBe(true);
        expect(reply.text, about).not.toMatch(VALIDATORS_OWN);
      }
      expect(await countRows()).toEqual(before);
    });

    test.each([
      ['half a document', '{"a":'],
      ['a duplicate key', '{"a":1,"a":2}'],
      ['__proto__', '{"__proto__":{"role":"admin"}}'],
      ['30 000 levels', '['.repeat(30_000)],
      ['a number', '5'],
    ])(`${call}: %s is a 4xx`, async (_name, payload) => {
      const reply = await send(row, payload, row.access === 'member' ? memberToken : undefined);
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(reply.status).toBeLessThan(500);
    });
  }
});

describe('malformed queries', () => {
  for (const { name: call, row } of allEndpoints.filter(
    (entry) => entry.row.method === 'GET' && !isOperators(entry.row),
  )) {
    test(`${call}: an unknown name and invalid values are refused`, async () => {
      const token = row.access === 'member' ? memberToken : undefined;
      expect((await send(row, undefined, token, '?surplus=1')).status).toBe(422);
      const properties = row.query ? Object.keys(forms(schemaOf(row.query))[0]?.properties ?? {}) : [];
      for (const field of properties) {
        for (const value of ['%00', '%F0%28%8C', 'a'.repeat(2000), '%27%3B--', '1e309']) {
          const reply = await send(row, undefined, token, `?${field}=${value}`);
          expect(reply.status, `${field}=${value}: ${reply.text.slice(0, 200)}`).toBeLessThan(500);
          expect(reply.text).not.toMatch(VALIDATORS_OWN);
        }
        const control = await send(row, undefined, token, `?${field}=%00`);
        expect(control.status, field).toBeGreaterThanOrEqual(400);
      }
    });
  }
});
