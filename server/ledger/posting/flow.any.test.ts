import { expect, test } from 'vitest';
import { incomeReasons, ledgerReasons } from '#contract/ledger-reasons.ts';
import { listRows } from '#server/db/rows.ts';
import { houseClasses, memberClasses } from '../core/account.ts';
import { flows } from '../core/flow.ts';
import { openLedger } from '../ledger-world.test-setup.ts';
import { verifyRules } from '../verify/verify-rules.ts';

const database = await openLedger(1n, 2n);
await database.runScript('update ledger.account set balance = 1000');

/** Tries one transfer by `post` or a direct insert and rolls it back. Returns who refused: 'nothing' if nobody did. */
const tryOne = `
  create function public.try_one(is_direct boolean, from_account bigint, to_account bigint, reason ledger.reason) returns text language plpgsql as $$
  declare
    refused_by text;
    code text;
  begin
    if is_direct then
      insert into ledger.transfer (from_account, to_account, amount, from_balance_after, to_balance_after, reverses, tx, market_at, created_at, reason, key, reference, hash)
      values (from_account, to_account, 1, case when from_account >= 32 then 0 end, case when to_account >= 32 then 0 end,
        case reason when 'reversal' then 1 end, 1, now(), now(), reason, 'try', '', '');
    else
      perform ledger.post(array[row('try', from_account, to_account, 1, reason, '', now(), null, case reason when 'reversal' then 1 end)::ledger.draft]);
    end if;
    raise exception 'undo' using errcode = 'UNDO0';
  exception
    when sqlstate 'UNDO0' then return 'nothing';
    when others then
      get stacked diagnostics refused_by = constraint_name, code = returned_sqlstate;
      return coalesce(nullif(refused_by, ''), code);
  end $$`;
await database.runScript(tryOne);

const memberNumbers = Object.values(memberClasses);
const numbers: Readonly<Record<string, number>> = { ...memberClasses, ...houseClasses };

async function tryAll(isDirect: boolean, fromMember: number, toMember: number, classes: readonly number[]) {
  return listRows(database.db)<{ from_class: number; to_class: number; reason: string; refused_by: string }>`
    select f as from_class, t as to_class, r::text as reason, public.try_one(${isDirect},
      case when f <= 5 then ${fromMember}::bigint * 32 + f else f end, case when t <= 5 then ${toMember}::bigint * 32 + t else t end, r) as refused_by
    from unnest(${classes}::int[]) f cross join unnest(${classes}::int[]) t cross join unnest(${ledgerReasons}::text[]::ledger.reason[]) r`;
}

const sorted = (rows: readonly { from_class: number; to_class: number; reason: string }[]) =>
  rows.map((row) => `${row.from_class} ${row.to_class} ${row.reason}`).sort();

const documented = flows.map(([from, to, reason]) => `${numbers[from]} ${numbers[to]} ${reason}`).sort();

const ways: [string, boolean][] = [
  ['posting', false],
  ['a direct insert', true],
];

test.for(ways)(
  'of all pairs of accounts and all reasons, %s accepts the documented flows and no other',
  async ([, isDirect]) => {
    const tried = await tryAll(isDirect, 1, 1, Object.values(numbers));
    expect(tried).toHaveLength(18 * 18 * ledgerReasons.length);
    expect(sorted(tried.filter((row) => row.refused_by === 'nothing'))).toEqual(documented);
    const refusals = new Set(tried.filter((row) => row.refused_by !== 'nothing').map((row) => row.refused_by));
    expect([...refusals].sort()).toEqual(['transfer_allowed', 'transfer_reversal_is_opposite']);
    // Reversals of a transfer that does not exist; the flows have no such row, whatever the accounts.
    expect(
      tried
        .filter((row) => row.refused_by === 'transfer_reversal_is_opposite')
        .every((row) => row.reason === 'reversal'),
    ).toBe(true);
  },
);

test.for(ways)(
  'no member can pay another for anything: %s is refused for every pair of accounts and every reason',
  async ([, isDirect]) => {
    const tried = await tryAll(isDirect, 1, 2, memberNumbers);
    expect(tried).toHaveLength(5 * 5 * ledgerReasons.length);
    expect(new Set(tried.map((row) => row.refused_by))).toEqual(new Set(['transfer_allowed']));
  },
);

test('impossible accounts are refused: a member with a gateway, a house with a wallet, an unknown member', async () => {
  const ids = [0, -1, -31, -26, 1, 5, 19, 31, 32, 38, 49, 63];
  const rows = await listRows(database.db)<{ refused_by: string }>`
    select public.try_one(true, case when is_from then id else 33 end, case when is_from then 33 else id end, r) as refused_by
    from unnest(${ids}::bigint[]) id cross join (values (true), (false)) v(is_from) cross join unnest(${ledgerReasons}::text[]::ledger.reason[]) r`;
  expect(new Set(rows.map((row) => row.refused_by))).toEqual(
    new Set(['transfer_allowed', 'transfer_reversal_is_opposite']),
  );
  await expect(database.runScript('insert into ledger.account (id) values (38)')).rejects.toThrow('"class"');
  await expect(database.runScript('insert into ledger.account (id) values (6)')).rejects.toThrow('null value');
  await expect(
    database.runScript('insert into ledger.account (id, member_id, class) values (6, 1, 1)'),
  ).rejects.toThrow('null value');
});

test('a direct insert must state the balance after for each member account, and none below zero', async () => {
  const insert = (after: string) =>
    database.runScript(`insert into ledger.transfer (from_account, to_account, amount, from_balance_after, to_balance_after, tx, market_at, created_at, reason, key, reference, hash)
      values (33, 35, 1, ${after}, 1, now(), now(), 'trade_place', 'direct', '', '')`);
  await expect(insert('null, 1')).rejects.toMatchObject({ constraint: 'transfer_allowed' });
  await expect(insert('1, null')).rejects.toMatchObject({ constraint: 'transfer_allowed' });
  await expect(insert('-1, 1')).rejects.toMatchObject({ constraint: 'member_account_never_negative' });
  await expect(database.runScript('update ledger.account set balance = -1 where id = 33')).rejects.toMatchObject({
    constraint: 'member_account_never_negative',
  });
});

test('the database has the account classes and flows of core, and enforces exactly these', async () => {
  expect(await verifyRules(database.db)).toEqual([]);
});

test('no flow leads from deposits to an income, from one income to another, or out of a pool except to its own income and to revenue', () => {
  const incomes: readonly string[] = incomeReasons;
  const payers = flows.filter(([, , reason]) => incomes.includes(reason)).map(([from]) => from);
  expect([...new Set<string>(payers)].sort()).toEqual([
    'performance_fees',
    'pool_monthly',
    'pool_rewards',
    'pool_weekly',
    'trade_fees',
  ]);
  const filledFrom = (to: string) => [...new Set(flows.filter((flow) => flow[1] === to).map(([from]) => from))];
  expect(filledFrom('trade_fees')).toEqual(['trade_escrow']);
  expect(filledFrom('performance_fees')).toEqual(['venue']);
  for (const pool of ['pool_weekly', 'pool_monthly', 'pool_rewards']) {
    expect(filledFrom(pool)).toEqual(['trade_fees']);
    const paidTo = flows.flatMap(([from, to]) => (from === pool ? [to] : []));
    // Unclaimed money stays in the rewards pool for later claims.
    expect(paidTo).toEqual(pool === 'pool_rewards' ? ['profit'] : ['profit', 'fee_revenue']);
  }
});
