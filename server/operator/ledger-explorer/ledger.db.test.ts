import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { post, reverse, sealLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal } from '#test/worlds/app.ts';
import { openConsoleWorld, type Person, usd } from '#test/worlds/console-world.ts';
import { tamper } from '#test/worlds/tamper.ts';
import { writeLedgerTransfers } from './ledger-transfers.ts';

const list = (query = '') => world.get(world.support, `operator/ledger/transfers${query && `?${query}`}`);
const idsOf = async (query: string): Promise<bigint[]> => {
  const { body } = await list(query);
  return body.data.items.map((item: { id: string }) => BigInt(item.id));
};
const at = (index: number) => ids.at(index) as bigint;

const world = closeAfterAll(await openConsoleWorld());
const anika = await world.addMember({ name: 'Anika Rao' });
const bert = await world.addMember({ name: 'Bert Lund' });
const primary = (person: Person) => ({ memberId: person.memberId, class: 'primary' }) as const;
const hold = { memberId: anika.memberId, class: 'withdrawal_hold' } as const;
const gateway = { class: 'gateway' } as const;
const adjustments = { class: 'adjustments' } as const;
const transfers = [
  { from: gateway, to: primary(anika), amountMicros: usd(100), reason: 'deposit', reference: 'DP-AAAAAA' },
  { from: gateway, to: primary(bert), amountMicros: usd(50), reason: 'deposit', reference: 'DP-BBBBBB' },
  { from: primary(anika), to: hold, amountMicros: usd(20), reason: 'withdrawal_hold', reference: 'WD-AAAAAA' },
  { from: gateway, to: adjustments, amountMicros: usd(10), reason: 'capital_in', reference: 'TM-AAAAAA', note: '=1+1' },
] as const;
const ids: bigint[] = [];
for (const transfer of transfers) ids.push(await world.post(transfer));

describe('GET operator/ledger/transfers', () => {
  test('lists all, newest first, page by page', async () => {
    const first = await list('limit=3');
    expect(first.body.data.items.map((item: { id: string }) => BigInt(item.id))).toEqual([at(3), at(2), at(1)]);
    expect(await idsOf(`limit=3&cursor=${first.body.data.next_cursor}`)).toEqual([at(0)]);
  });

  test('shows both sides, the member and the balances after', async () => {
    const { body } = await list('reason=withdrawal_hold');
    const member = { id: anika.memberId.toString(), referral_code: anika.referralCode, name: 'Anika Rao' };
    expect(body.data).toEqual({
      items: [
        {
          id: at(2).toString(),
          from: { account: 'primary', member, balance_after: 80 },
          to: { account: 'withdrawal_hold', member, balance_after: 20 },
          amount: 20,
          reason: 'withdrawal_hold',
          reference: 'WD-AAAAAA',
          key: expect.stringMatching(/^test\/\d+$/),
          note: null,
          reverses: null,
          market_at: world.clock.now().toISOString(),
          created_at: expect.any(String),
        },
      ],
      next_cursor: null,
    });
  });

  test.each<[string, () => string, number[]]>([
    ['a member', () => `registered_id=${anika.referralCode}`, [2, 0]],
    ['a member in small letters', () => `registered_id=${anika.referralCode.toLowerCase()}`, [2, 0]],
    ['a member and account', () => `registered_id=${anika.referralCode}&account=withdrawal_hold`, [2]],
    ['a member and a house account', () => `registered_id=${bert.referralCode}&account=gateway`, [1]],
    ['a member and reason', () => `registered_id=${anika.referralCode}&reason=deposit`, [0]],
    ['a house account', () => 'account=gateway', [3, 1, 0]],
    ['a member account', () => 'account=primary', [2, 1, 0]],
    ['account and reason', () => 'account=gateway&reason=capital_in', [3]],
    ['a reference', () => 'reference=DP-BBBBBB', [1]],
    ['a reference and member', () => `reference=DP-BBBBBB&registered_id=${bert.referralCode}`, [1]],
    ['an instant far from any entry', () => `registered_id=${anika.referralCode}&from=0000-01-01T00:00:00Z`, [2, 0]],
    ['a reference of another member', () => `reference=DP-BBBBBB&registered_id=${anika.referralCode}`, []],
    ['a key prefix', () => 'key=test/', [3, 2, 1, 0]],
    ['a key prefix and a reason', () => 'key=test/&reason=capital_in', [3]],
    ['an unknown key', () => 'key=nothing', []],
    ['a past period', () => 'to=2020-01-01T00:00:00Z', []],
    ['a future period', () => 'from=2999-01-01T00:00:00Z', []],
    ['a period that covers all', () => 'from=2020-01-01T00:00:00Z&to=2999-01-01T00:00:00Z', [3, 2, 1, 0]],
  ])('finds them by %s', async (_what, query, found) => {
    expect(await idsOf(query())).toEqual(found.map(at));
  });

  test('finds one by its whole key', async () => {
    const [row] = await world.select<{ key: string }>(sql`select key from ledger.transfer where id = ${at(1)}`);
    expect(await idsOf(`key=${row?.key}`)).toEqual([at(1)]);
  });

  test('a member’s pages skip nothing and repeat nothing', async () => {
    const seen: bigint[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await list(`registered_id=${anika.referralCode}&limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.data.items.map((item: { id: string }) => BigInt(item.id)));
      cursor = body.data.next_cursor;
    }
    expect(seen).toEqual([at(2), at(0)]);
  });

  test('exports a file in which no cell is a formula', async () => {
    const reply = await list('format=csv&account=adjustments');
    expect(reply.headers['content-type']).toContain('text/csv');
    const [head, line, end] = reply.text.split('\r\n');
    expect(head).toBe(
      'Transfer,Posted (UTC),Market time (UTC),From,From member,To,To member,Amount (USD),Reason,Reference,Key,Note,Reverses',
    );
    expect(line).toContain(`${at(3)},`);
    expect(line).toContain(',capital_in,TM-AAAAAA,');
    expect(line).toContain("'=1+1");
    expect(end).toBe('');
  });

  test.each([
    ['from=2026-03-05T00:00:00Z&to=2026-03-04T00:00:00Z', 'period_turned'],
    ['account=purse', 'validation'],
    ['reason=gift', 'validation'],
    ['cursor=x', 'validation'],
    ['registered_id=TWNOBODY42', 'validation'],
  ])('refuses %s', async (query, code) => {
    expect(await list(query)).toMatchObject(refusal(422, code));
  });
});

describe('one transfer', () => {
  test('is covered by a seal within a minute, and included in it', async () => {
    const url = `operator/ledger/transfers/${at(2)}`;
    expect((await world.get(world.support, url)).body.data).toMatchObject({ seal: null, reversed_by: null });
    expect(await world.get(world.support, `${url}/inclusion`)).toMatchObject(refusal(409, 'transfer_not_sealed'));
    const seal = await sealLedger(world.context);
    const detail = await world.get(world.support, url);
    expect(detail.body.data).toMatchObject({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      seal: { no: seal?.no.toString(), hash: seal?.hash, transfers: 4 },
    });
    const { body } = await world.get(world.support, `${url}/inclusion`);
    expect(body.data).toMatchObject({
      leaf: detail.body.data.hash,
      hash_fits: true,
      index: 2,
      leaves: 4 + 12,
      root: detail.body.data.seal.root,
      included: true,
    });
    expect(body.data.path).toHaveLength(4);
    expect((await world.get(world.support, 'operator/ledger/seals?limit=1')).body.data).toMatchObject({
      items: [{ no: seal?.no.toString(), hash: seal?.hash }],
      next_cursor: null,
    });
  });

  test('is no longer included once any transfer under its seal is changed', async () => {
    const change = (amount: string) =>
      tamper(world.database, `update ledger.transfer set amount = ${amount} where id = ${at(1)}`);
    await change('amount + 1');
    const ask = async (id: bigint) =>
      (await world.get(world.support, `operator/ledger/transfers/${id}/inclusion`)).body.data;
    expect(await ask(at(2))).toMatchObject({ hash_fits: true, included: false });
    expect(await ask(at(1))).toMatchObject({ hash_fits: false, included: false });
    await change('amount - 1');
    expect(await ask(at(2))).toMatchObject({ hash_fits: true, included: true });
    expect(await world.findings()).toEqual([]);
  });

  test('shows which transfer reverses it, and which one it reverses', async () => {
    const reversal = await inTransaction(world.context.db, (tx) =>
      reverse(tx, { transferId: at(1), key: 'test/reversal', reference: 'DP-BBBBBB', marketAt: world.clock.now() }),
    );
    expect((await world.get(world.support, `operator/ledger/transfers/${at(1)}`)).body.data).toMatchObject({
      reversed_by: reversal.id.toString(),
    });
    expect((await list('reason=reversal')).body.data.items).toMatchObject([{ reverses: at(1).toString() }]);
  });

  test('that does not exist is not found', async () => {
    for (const url of ['operator/ledger/transfers/999999999', 'operator/ledger/transfers/999999999/inclusion']) {
      expect(await world.get(world.support, url)).toMatchObject(refusal(404, 'transfer_not_found'));
    }
  });
});

test('accounts show their balances, and gateway and venue their holdings', async () => {
  const { body } = await world.get(world.support, 'operator/ledger/accounts');
  const amounts = Object.fromEntries(
    body.data.items.map((item: { account: string; amount: number }) => [item.account, item.amount]),
  );
  expect(amounts).toMatchObject({ gateway: 110, primary: 80, withdrawal_hold: 20, adjustments: 10, venue: 0 });
  expect(Object.keys(amounts)).toHaveLength(18);
});

test('a search without an index runs in batches: a page can be empty and not the last', async () => {
  await world.database.runScript("select setval('ledger.transfer_id_seq', 250000)");
  await world.addSurplus(1);
  const first = await list('account=withdrawal_hold');
  expect(first.body.data).toEqual({ items: [], next_cursor: expect.any(String) });
  let reply = first;
  let calls = 1;
  while (reply.body.data.items.length === 0 && reply.body.data.next_cursor !== null) {
    reply = await list(`account=withdrawal_hold&cursor=${reply.body.data.next_cursor}`);
    calls += 1;
  }
  expect(reply.body.data).toMatchObject({ items: [{ id: at(2).toString() }], next_cursor: null });
  expect(calls).toBe(3);
  const file = await list('account=withdrawal_hold&format=csv');
  expect(file.text.split('\r\n')).toHaveLength(3);
});

describe('a search by reference or key', () => {
  /** A transfer under its own key. */
  async function book(key: string, reference: string): Promise<bigint> {
    const about = { reason: 'network_fee', from: { class: 'gateway_result' }, to: gateway } as const;
    const transfer = { ...about, key, reference, amountMicros: 1n, marketAt: world.clock.now() };
    const [made] = await inTransaction(world.context.db, (tx) => post(tx, [transfer]));
    return (made as { id: bigint }).id;
  }

  test('finds all transfers of a withdrawal, including the network fee under another key', async () => {
    const [row] = await world.select<{ id: bigint }>(sql`
      insert into funds.withdrawal (reference, member_id, wallet, amount_micros, fee_micros, fee_plan_id, network, address, state,
        requested_on, created_at, updated_at)
      values ('WD-7M2QX4', ${anika.memberId}, 'primary', 20000000, 1000000, 1, 'TRC20', 'T', 'requested', '2026-03-04', now(), now())
      returning id`);
    const hold = await book(`withdrawal/${row?.id}/hold`, 'WD-7M2QX4');
    const fee = await book(`network-fee/withdrawal/${row?.id}`, 'WD-7M2QX4');
    expect(await idsOf('reference=WD-7M2QX4')).toEqual([fee, hold]);
  });

  test('finds the proceeds of a coin sale by the reference of its treasury move', async () => {
    const move = { kind: 'capital_in', amount: 5, reason: 'Capital.', transaction: 'ab'.repeat(32) };
    const { body } = await world.send(world.finance, 'POST', 'operator/treasury/moves', move);
    const { reference } = body.data;
    const [sale] = await world.select<{ id: bigint }>(sql`
      insert into trading.coin_sale (reference, gateway, symbol, quantity, limit_price)
      values (${reference}, 'btcpay', 'btc', 0.2, 49000) returning id`);
    const proceeds = await book(`coin-sale/${sale?.id}/proceeds`, reference);
    expect(await idsOf(`reference=${reference}`)).toEqual([proceeds]);
  });

  test('shows all transfers whose keys share a prefix, however many there are', async () => {
    const count = 1_201;
    const about = { reason: 'network_fee', from: { class: 'gateway_result' }, to: gateway, amountMicros: 1n } as const;
    await inTransaction(world.context.db, (tx) =>
      post(
        tx,
        Array.from({ length: count }, (_, index) => ({
          ...about,
          key: `many/${index}`,
          reference: `many ${index % 2}`,
          marketAt: world.clock.now(),
        })),
      ),
    );
    const file = await list('format=csv&key=many/');
    expect(file.text.trimEnd().split('\r\n')).toHaveLength(count + 1);
    const cutAt = async (maxRows: number) => {
      const { text } = await writeLedgerTransfers(world.context, { key: 'many/' }, maxRows);
      return (await Array.fromAsync(text)).join('').trimEnd().split('\r\n');
    };
    expect(await cutAt(count)).toHaveLength(count + 1);
    const cut = await cutAt(count - 1);
    expect(cut).toHaveLength(count + 1);
    expect(cut.at(-1)).toContain(`There are more than these ${count - 1} transfers.`);
    const seen = new Set<bigint>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await list(`key=many/&reference=many 1&limit=100${cursor && `&cursor=${cursor}`}`);
      for (const { id } of body.data.items) seen.add(BigInt(id));
      cursor = body.data.next_cursor;
    }
    expect(seen.size).toBe(600);
  });
});
