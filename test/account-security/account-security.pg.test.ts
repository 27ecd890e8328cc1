import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checkFunds } from '#server/funds/check-funds.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { runs } from '#test/kit/property-runs.ts';
import { leftover } from './leftover-steps.ts';
import { memberSteps } from './member-steps.ts';
import { operatorSteps } from './operator-steps.ts';
import { OWN_MAILBOX, openWorld, SECOND_MAILBOX, type World } from './world.ts';

/** The same examples in each run; another number plays others. */
const SEED = 7;

const steps = fc.array(
  fc.oneof(
    ...[...memberSteps, ...operatorSteps, [6, leftover] as const].map(([weight, arbitrary]) => ({ weight, arbitrary })),
  ),
  {
    minLength: 40,
    maxLength: 90,
    size: 'max',
  },
);
/** What the thief has stolen: never all of it. */
const powers = fc
  .subarray(['password', 'token', 'mailbox', 'recovery'] as const, { maxLength: 3 })
  .map((all) => new Set<string>(all));

/** The account is what the documents say, and nothing else. */
async function compare(world: World): Promise<void> {
  const { truth, memberId, context } = world;
  const { rows } = await sql`
    select m.email, m.frozen_at is not null as "isFrozen",
      (select count(*)::int from identity.totp t where t.member_id = m.id and confirmed_at is not null) as apps,
      (select count(*)::int from identity.passkey p where p.member_id = m.id) as passkeys,
      (select count(*)::int from identity.recovery_code r where r.member_id = m.id) as codes,
      (select email from identity.email_request e where e.member_id = m.id and ended_at is null) as request,
      exists (select from funds.withdrawal_freeze f where f.member_id = m.id) as "isStopped",
      (select address from funds.payout_address a where a.member_id = m.id and replaced_at is null) as address,
      coalesce(extract(epoch from security_changed_at)::float8 * 1000, 0) as "securityAt"
    from identity.member m where m.id = ${memberId}`.execute(context.db);
  expect(rows[0]).toEqual({
    email: truth.email,
    isFrozen: truth.isFrozen,
    apps: truth.app === undefined ? 0 : 1,
    passkeys: truth.passkeys.size,
    codes: truth.recovery.size,
    request: truth.emailRequest ?? null,
    isStopped: truth.isStopped,
    address: truth.address?.address,
    securityAt: truth.securityAt,
  });
  const proposals = await sql<{ id: string; state: string }>`
    select id::text, state from approvals.proposal order by id`.execute(context.db);
  expect(proposals.rows).toEqual(truth.proposals.map(({ id, state }) => ({ id, state })));
  const withdrawals = await sql<{ id: string; state: string }>`
    select id::text, state from funds.withdrawal order by id`.execute(context.db);
  expect(withdrawals.rows).toEqual([...truth.withdrawals].map(([id, { state }]) => ({ id, state })));
}

/** Every sign-in that ended is out, and no other. */
async function compareSignIns({ app, truth, dead, now }: World): Promise<void> {
  for (const token of dead) expect((await app.ask('GET', 'auth/me', { token })).status).toBe(401);
  for (const token of truth.live.keys()) {
    expect((await app.ask('GET', 'auth/me', { token })).status).toBe(200);
    truth.live.set(token, now());
  }
}

test('nobody gets into an account, or money out of it, without all that the documents name', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(powers, steps, async (stolen, all) => {
      const world = await openWorld();
      const { owner, thief } = world.minds;
      try {
        for (const { take } of all) {
          if (stolen.has('password')) thief.password = owner.password;
          if (stolen.has('token'))
            thief.tokens.push(...owner.tokens.slice(-1).filter((one) => !thief.tokens.includes(one)));
          if (stolen.has('mailbox')) for (const box of [OWN_MAILBOX, SECOND_MAILBOX]) thief.mailboxes.add(box);
          if (stolen.has('recovery') && thief.recovery.length === 0) thief.recovery = owner.recovery.slice(0, 1);
          const before = world.dead.size;
          await take(world);
          await compare(world);
          if (world.dead.size > before) await compareSignIns(world);
        }
        await compareSignIns(world);
        expect([...(await verifyLedger(world.context.db)), ...(await checkFunds(world.context.db))]).toEqual([]);
      } finally {
        await world.close();
      }
    }),
    { numRuns: runs(14), seed: SEED, endOnFailure: true },
  );
});
