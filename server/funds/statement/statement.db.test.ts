import { describe, expect, test } from 'vitest';
import type { Movement, Statement } from '#contract/funds/deposits.ts';
import { movementKinds, walletWords, wordsOfKind } from '#contract/ledger-reasons.ts';
import { toMicros } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { flows } from '#server/ledger/core/flow.ts';
import { type AccountRef, type MemberClass, post, reverse } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { testApp } from '#test/worlds/app.ts';
import { signUp } from '#test/worlds/members.ts';
import { marketAt, openFundsWorld } from '../funds-world.test-setup.ts';
import { mountFunds } from '../index.ts';

const memberClasses: readonly string[] = ['primary', 'profit', 'trade_escrow', 'investment', 'withdrawal_hold'];
const isOwn = (name: string): name is MemberClass => memberClasses.includes(name);

const world = closeAfterAll(await openFundsWorld());
const app = closeAfterAll(await testApp(world.context, mountFunds));
const member = await signUp(world.context);
const stranger = await signUp(world.context, { email: 'other@example.com' });

/** Every ledger flow visible to a member, once each with distinguishable amounts, and one reversal. */
async function postEveryFlow(context: Context, memberId: bigint): Promise<string> {
  const ofMember = flows.filter(([from, to]) => isOwn(from) || isOwn(to));
  const into = ofMember.filter(([from]) => !isOwn(from));
  const between = ofMember.filter(([from, to]) => isOwn(from) && isOwn(to));
  const out = ofMember.filter(([, to]) => !isOwn(to));
  const wallets = ['primary', 'profit', 'investment'];
  const fromWallets = between.filter(([from]) => wallets.includes(from));
  const backToWallets = between.filter(([from]) => !wallets.includes(from));
  const account = (name: (typeof flows)[number][0 | 1]): AccountRef =>
    (isOwn(name) ? { memberId, class: name } : { class: name }) as AccountRef;
  const transfers = [
    ...into.map((flow) => [flow, 1_000_000_000n] as const),
    ...fromWallets.map((flow) => [flow, 100_000_000n] as const),
    ...backToWallets.map((flow) => [flow, 10_000_000n] as const),
    ...out.map((flow) => [flow, 1_000_000n] as const),
  ].map(([[from, to, reason], about], index) => ({
    key: `flow/${index}`,
    from: account(from),
    to: account(to),
    amountMicros: about + 1_234_567n * BigInt(index + 1),
    reason,
    reference: `T-${index}`,
    marketAt,
    note: index === 0 ? '=HYPERLINK("http://x","a, b")' : `flow ${index}`,
  }));
  const middle = into.length + 2;
  const [first] = await inTransaction(context.db, (tx) => post(tx, transfers.slice(0, middle)));
  const at = (await listAll({})).at(0)?.created_at as string;
  const later = new Date(Date.parse(at) + 1).toISOString();
  while (Date.now() <= Date.parse(later)) await Promise.resolve();
  await inTransaction(context.db, (tx) => post(tx, transfers.slice(middle)));
  const transferId = first?.id as bigint;
  await inTransaction(context.db, (tx) => reverse(tx, { transferId, key: 'back', reference: 'T-back', marketAt }));
  return later;
}

type Filter = Record<string, string>;
const url = (path: string, filter: Filter) => `${path}?${new URLSearchParams(filter)}`;
/** Between two of the movements. */
const halfWay = await postEveryFlow(world.context, member.memberId);

async function listAll(filter: Filter): Promise<Movement[]> {
  const items: Movement[] = [];
  let cursor: string | null = null;
  do {
    const query: Filter = { ...filter, limit: '7', ...(cursor === null ? {} : { cursor }) };
    const { body, status } = await app.ask('GET', url('auth/transaction-hist', query), { token: member.token });
    expect(status).toBe(200);
    items.push(...body.data.items);
    cursor = body.data.next_cursor;
  } while (cursor !== null);
  return items;
}

async function readStatement(filter: Filter): Promise<Statement> {
  const { body, status } = await app.ask('GET', url('auth/statement', filter), { token: member.token });
  expect(status).toBe(200);
  return body.data;
}

const readFile = (filter: Filter) =>
  app.ask('GET', url('auth/transaction-hist', { ...filter, format: 'csv', limit: '1' }), { token: member.token });

/** Rows of a CSV text (RFC 4180) without its header. */
function parseRows(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(1, -1);
}

type Sums = { movements: number; received: bigint; spent: bigint };
const sumUp = (amounts: readonly bigint[]): Sums => ({
  movements: amounts.length,
  received: amounts.filter((amount) => amount > 0n).reduce((all, amount) => all + amount, 0n),
  spent: -amounts.filter((amount) => amount < 0n).reduce((all, amount) => all + amount, 0n),
});
const told = (sums: { movements: number; received: number; spent: number }): Sums => ({
  movements: sums.movements,
  received: toMicros(sums.received),
  spent: toMicros(sums.spent),
});
/** `-12.500000` as the file writes it, in micros. */
const microsOf = (cell = '') => {
  expect(cell).toMatch(/^-?\d+\.\d{6}$/);
  return BigInt(cell.replace('.', ''));
};

describe('totals, list and file of one filter say the same, to the micro', () => {
  const filters: readonly (readonly [string, () => Filter])[] = [
    ['everything', () => ({})],
    ['one wallet', () => ({ wallet: 'in_trades' })],
    ['one kind, between wallets', () => ({ kind: 'trade_place' })],
    ['the reversal', () => ({ kind: 'reversal' })],
    ['since half way', () => ({ from: halfWay })],
    ['until half way', () => ({ to: halfWay })],
    ['a wallet and kind until half way', () => ({ to: halfWay, wallet: 'primary', kind: 'deposit' })],
    ['a period before the account', () => ({ from: '2001-01-01T00:00:00Z', to: '2002-01-01T00:00:00Z' })],
    ['a period that begins before the account', () => ({ from: '2001-01-01T00:00:00Z' })],
    ['a period to come', () => ({ from: '2990-01-01T00:00:00Z', to: '2991-01-01T00:00:00Z' })],
  ];
  test.each(filters)('%s', async (_name, filterOf) => {
    const filter = filterOf();
    const statement = await readStatement(filter);
    const lines = await listAll(filter);
    const { text } = await readFile(filter);
    const rows = parseRows(text);

    expect(rows).toEqual(
      lines.map((line) => [
        line.created_at,
        wordsOfKind(line.kind),
        walletWords[line.wallet],
        expect.any(String),
        expect.any(String),
        line.reference,
        line.note === null ? '' : line.note.replace(/^=/, "'="),
      ]),
    );
    const [ofLines, ofRows] = [lines.map((line) => toMicros(line.amount)), rows.map((row) => microsOf(row[3]))];
    expect(ofRows).toEqual(ofLines);
    expect(rows.map((row) => microsOf(row[4]))).toEqual(lines.map((line) => toMicros(line.balance_after)));
    expect(told(statement)).toEqual(sumUp(ofLines));

    for (const { wallet, ...sums } of statement.wallets) {
      const own = lines.filter((line) => line.wallet === wallet).map((line) => toMicros(line.amount));
      expect({ wallet, ...told({ ...sums, movements: own.length }) }).toEqual({ wallet, ...sumUp(own) });
    }
    expect(statement.kinds.map(({ kind, ...sums }) => ({ kind, ...told(sums) }))).toEqual(
      movementKinds
        .map((kind) => ({
          kind,
          ...sumUp(lines.filter((line) => line.kind === kind).map((line) => toMicros(line.amount))),
        }))
        .filter(({ movements }) => movements > 0),
    );
  });
});

test('the world has every kind a statement can hold', async () => {
  expect((await readStatement({})).kinds.map(({ kind }) => kind)).toEqual([...movementKinds]);
});

test('each wallet goes from opening to closing, and one period continues where the other ended', async () => {
  const [before, after, whole] = await Promise.all([
    readStatement({ to: halfWay }),
    readStatement({ from: halfWay }),
    readStatement({}),
  ]);
  for (const { wallets } of [before, after, whole])
    for (const { wallet, opening, received, spent, closing } of wallets)
      expect([wallet, toMicros(opening) + toMicros(received) - toMicros(spent)]).toEqual([wallet, toMicros(closing)]);
  expect(after.wallets.map(({ opening }) => opening)).toEqual(before.wallets.map(({ closing }) => closing));
  expect(after.wallets.map(({ closing }) => closing)).toEqual(whole.wallets.map(({ closing }) => closing));
  expect(whole.wallets.every(({ opening }) => opening === 0)).toBe(true);
  expect(after.wallets.some(({ opening }) => opening > 0)).toBe(true);
  expect([before.from, before.to]).toEqual([null, halfWay]);
});

test('filters leave the balances as they are', async () => {
  const [whole, filtered] = [await readStatement({}), await readStatement({ kind: 'reward', wallet: 'primary' })];
  expect(filtered.wallets.map(({ closing }) => closing)).toEqual(whole.wallets.map(({ closing }) => closing));
  expect(filtered).toMatchObject({ movements: 0, received: 0, spent: 0, kinds: [] });
});

test('the file is named by its days and holds a head with units and lines, no sums', async () => {
  const { headers, text } = await readFile({ from: '2026-02-01T00:00:00Z', to: '2026-03-01T00:00:00Z' });
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['content-disposition']).toBe('attachment; filename="transactions-2026-02-01-to-2026-02-28.csv"');
  expect(text).toBe('Date (UTC),Type,Wallet,Amount (USD),Balance after (USD),Reference,Note\r\n');
  const all = await readFile({});
  expect(all.headers['content-disposition']).toContain('"transactions-beginning-to-today.csv"');
  expect(all.text.split('\r\n')).toHaveLength((await readStatement({})).movements + 2);
});

test.each(['auth/statement', 'auth/transaction-hist', 'auth/transaction-hist?format=csv'])(
  'a period that ends before it begins is refused: %s',
  async (path) => {
    const turned = `${path}${path.includes('?') ? '&' : '?'}from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z`;
    const { status, body } = await app.ask('GET', turned, { token: member.token });
    expect([status, body.code, body.validation_results[0].field]).toEqual([422, 'period_turned', 'to']);
  },
);

test('instants far from any are bounds as others', async () => {
  const filter = { from: '0000-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' };
  expect((await readStatement(filter)).movements).toBe((await readStatement({})).movements);
  expect((await readStatement({ to: '0000-01-01T00:00:00Z' })).movements).toBe(0);
});

test('nobody sees the movements of another', async () => {
  const { body } = await app.ask('GET', 'auth/statement', { token: stranger.token });
  expect(body.data).toMatchObject({ movements: 0, received: 0, spent: 0, kinds: [] });
  const { text } = await app.ask('GET', 'auth/transaction-hist?format=csv', { token: stranger.token });
  expect(parseRows(text)).toEqual([]);
});

test('deposits as a file are those of the list, in the requested state', async () => {
  for (const amount of [250, 12.345678]) await world.addDeposit(amount, stranger.memberId);
  const list = (await app.ask('GET', 'secure/hist', { token: stranger.token })).body.data.items;
  const { text, headers } = await app.ask('GET', 'secure/hist?format=csv&limit=1', { token: stranger.token });
  expect(headers['content-disposition']).toBe('attachment; filename="deposits.csv"');
  expect(text.split('\r\n')[0]).toBe(
    'Created (UTC),Reference,Requested (USD),Credited (USD),State,Note,Transaction,Updated (UTC)',
  );
  expect(parseRows(text).map((row) => row.slice(0, 5))).toEqual(
    list.map((deposit: { created_at: string; reference: string; amount: number }) => [
      deposit.created_at,
      deposit.reference,
      deposit.amount.toFixed(6),
      '',
      'Created',
    ]),
  );
  expect(list).toHaveLength(2);
  const credited = await app.ask('GET', 'secure/hist?format=csv&state=credited', { token: stranger.token });
  expect(credited.headers['content-disposition']).toContain('"deposits-credited.csv"');
  expect(parseRows(credited.text)).toEqual([]);
});
