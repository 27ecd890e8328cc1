import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Refused } from '#server/refused.ts';
import { runs } from '#test/kit/property-runs.ts';
import { testContext } from '#test/worlds/builders.ts';
import {
  type AccountClass,
  type AccountRef,
  accountId,
  isMemberAccount,
  type MemberClass,
  memberClassNames,
} from '../core/account.ts';
import { flows } from '../core/flow.ts';
import { openLedger, openMembers, postAll, readAll, transfer } from '../ledger-world.test-setup.ts';
import { sealLedger } from '../seals/seal.ts';
import { listStatement } from '../statement/statement.ts';
import { verifyLedger } from '../verify/verify.ts';
import { getBalances, getHouseBalances } from './accounts.ts';
import type { Transfer } from './post.ts';

const MEMBERS = [1n, 2n, 3n];

let run = 0;

const database = await openLedger();

const accountOf = (name: AccountClass, memberId: bigint): AccountRef =>
  (memberClassNames as string[]).includes(name)
    ? { memberId, class: name as MemberClass }
    : ({ class: name } as AccountRef);

/** Any flow, of any member, in small amounts, so that accounts often run out of funds. */
const anyStep = fc.record({
  flow: fc.constantFrom(...flows),
  member: fc.constantFrom(0n, 1n, 2n),
  amountMicros: fc.bigInt(1n, 40n),
});
const anyPosting = fc.oneof(
  { weight: 3, arbitrary: fc.array(anyStep, { minLength: 1, maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constant('seal' as const) },
  { weight: 1, arbitrary: fc.constant('repeat' as const) },
);

/** The ledger in a dozen lines: balances in a map; a posting that would take a member below zero does nothing. */
function applyTo(balances: Map<bigint, bigint>, transfers: readonly Transfer[]): Map<bigint, bigint> | undefined {
  const next = new Map(balances);
  for (const { from, to, amountMicros } of transfers) {
    const fromId = accountId(from);
    const left = (next.get(fromId) ?? 0n) - amountMicros;
    if (isMemberAccount(fromId) && left < 0n) return undefined;
    next.set(fromId, left);
    next.set(accountId(to), (next.get(accountId(to)) ?? 0n) + amountMicros);
  }
  return next;
}

test('any sequence of postings, retries and seals matches a simple model: sum zero, no negative member, statements add up, everything verifies', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyPosting, { minLength: 1, maxLength: 12 }), async (postings) => {
      run += 1;
      const members = MEMBERS.map((member) => BigInt(run) * 10n + member);
      await openMembers(database.db, members);
      const houseBefore = await getHouseBalances(database.db);
      let expected = new Map<bigint, bigint>();
      let done: Transfer[] = [];
      for (const [index, posting] of postings.entries()) {
        if (posting === 'seal') await sealLedger(testContext(database));
        else if (posting === 'repeat') await expectNoChange(done);
        else {
          const transfers = posting.map((step, place) => {
            const memberId = members[Number(step.member)] as bigint;
            const [from, to, reason] = step.flow;
            const key = `${run}/${index}/${place}`;
            return transfer(key, accountOf(from, memberId), accountOf(to, memberId), step.amountMicros, reason);
          });
          const next = applyTo(expected, transfers);
          if (next === undefined)
            await expect(postAll(database.db, transfers)).rejects.toEqual(new Refused('insufficient_funds'));
          else {
            const results = await postAll(database.db, transfers);
            expect(results.map((result) => result.key)).toEqual(transfers.map((one) => one.key));
            expected = next;
            done = transfers;
          }
        }
      }
      await expectBooks(members, expected, houseBefore);
    }),
    { numRuns: runs(40) },
  );
  expect(await verifyLedger(database.db)).toEqual([]);
}, 120_000);

async function expectNoChange(transfers: readonly Transfer[]): Promise<void> {
  const before = await readAll(database.db);
  const results = await postAll(database.db, transfers);
  expect(results).toHaveLength(transfers.length);
  expect(await readAll(database.db)).toEqual(before);
}

async function expectBooks(
  members: readonly bigint[],
  expected: Map<bigint, bigint>,
  houseBefore: Record<string, bigint>,
): Promise<void> {
  for (const memberId of members) {
    const balances = await getBalances(database.db, memberId);
    for (const name of memberClassNames) {
      expect(balances[name]).toBe(expected.get(accountId({ memberId, class: name })) ?? 0n);
      const lines = await listStatement(database.db, { memberId, classes: [name], limit: 100 });
      expect(lines.reduce((sum, line) => sum + line.signedMicros, 0n)).toBe(balances[name]);
      expect(lines[0]?.balanceAfterMicros ?? 0n).toBe(balances[name]);
      expect(
        lines.every(
          (line, index) => line.balanceAfterMicros - line.signedMicros === (lines[index + 1]?.balanceAfterMicros ?? 0n),
        ),
      ).toBe(true);
    }
  }
  const house = await getHouseBalances(database.db);
  for (const [name, balance] of Object.entries(house)) {
    expect(balance - (houseBefore[name] ?? 0n)).toBe(expected.get(accountId({ class: name } as AccountRef)) ?? 0n);
  }
  const { rows } = await sql<{
    total: bigint;
  }>`select coalesce(sum(balance), 0)::bigint as total from ledger.account`.execute(database.db);
  expect((rows[0]?.total ?? 0n) + Object.values(house).reduce((sum, balance) => sum + balance, 0n)).toBe(0n);
}
