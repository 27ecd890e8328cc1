import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { reportAddressChange } from './freeze-withdrawals.ts';
import { getWithdrawalTerms } from './list-withdrawals.ts';
import { refuseUnlessPayable } from './payout-guard.ts';
import { findAddress, updateAddress } from './save-address.ts';
import { sendOtp } from './send-otp.ts';
import { openWithdrawalsWorld, type Person, refused, SEGWIT, TRON } from './withdrawals-world.test-setup.ts';

const world = closeAfterAll(await openWithdrawalsWorld({ PUBLIC_URL: 'https://tradewind.example' }));
afterAll(async () => {
  expect(await world.findings()).toEqual([]);
});

const codeFor = async (person: Person, network: PayoutNetwork, address: string) => {
  world.clock.advance(60);
  await sendOtp(world.context, person.memberId, { purpose: 'address', network, address });
  return world.code(person);
};
const save = (person: Person, network: PayoutNetwork, address: string, otp: string) =>
  updateAddress(world.context, person.memberId, { network, address, otp }, '192.0.2.7');
const alarmOf = async (person: Person) =>
  /https:\/\/tradewind\.example\/not-me#([A-Za-z0-9_-]{43})\n/.exec((await world.mails(person)).at(-1) ?? '')?.[1] ??
  '';
const isStopped = async (person: Person) =>
  (await getWithdrawalTerms(world.context, person.memberId)).bar?.code === 'withdrawals_frozen';
const auditOf = ({ memberId }: Person) => listRows(world.context.db)<{
  action: string;
  before: unknown;
  after: unknown;
  address: string | null;
}>`
    select action, before, after, address from audit.entry
    where subject = ${`member:${memberId}`} and action like 'member.%address' order by id`;

describe('saving an address', () => {
  test('requires a code for exactly this network and address, is usable after 24 hours, and is notified and audited', async () => {
    const person = await world.addPerson(1000, null);
    expect(await findAddress(world.context.db, person.memberId)).toBeNull();
    const otp = await codeFor(person, 'TRC20', TRON);
    const usable = new Date(world.clock.now().getTime() + 86_400_000).toISOString();
    const saved = await save(person, 'TRC20', TRON, otp);
    expect(saved).toEqual({ network: 'TRC20', address: TRON, usable_from: usable });
    expect(await findAddress(world.context.db, person.memberId)).toEqual(saved);
    expect((await world.messages(person)).at(-1)).toBe(
      `Your payout address is now the TRC20 address ${TRON}. Withdrawals wait 24 hours.`,
    );
    const mail = (await world.mails(person)).at(-1);
    expect(mail).toContain('press This was not me: https://tradewind.example/not-me#');
    // The first address changes nothing, so neither subject nor text says that it did.
    expect(mail).toContain('A payout address was saved for your account.');
    expect(mail).toContain('To stop all withdrawals from your account');
    expect(await auditOf(person)).toEqual([
      {
        action: 'member.change_payout_address',
        before: null,
        after: { network: 'TRC20', address: TRON },
        address: '192.0.2.7',
      },
    ]);
  });

  test('replaces the previous one, which is retained, and restarts the 24 hours', async () => {
    const person = await world.addPerson();
    expect((await getWithdrawalTerms(world.context, person.memberId)).bar).toBeNull();
    await save(person, 'BTC', SEGWIT.toUpperCase(), await codeFor(person, 'BTC', SEGWIT));
    expect(await getWithdrawalTerms(world.context, person.memberId)).toMatchObject({
      address: { network: 'BTC', address: SEGWIT },
      bar: { code: 'withdrawal_waiting', until: new Date(world.clock.now().getTime() + 86_400_000).toISOString() },
    });
    const { rows } = await sql<{ address: string; replaced: boolean }>`
      select address, replaced_at is not null as replaced from funds.payout_address
      where member_id = ${person.memberId} order by id`.execute(world.context.db);
    expect(rows).toEqual([
      { address: TRON, replaced: true },
      { address: SEGWIT, replaced: false },
    ]);
    expect((await auditOf(person)).at(-1)?.before).toEqual({ network: 'TRC20', address: TRON });
  });

  test('refuses what is no address of the network before a code goes out and before a try', async () => {
    const person = await world.addPerson();
    const mails = await world.mails(person);
    await expect(codeFor(person, 'BTC', TRON)).rejects.toMatchObject(refused('invalid_address'));
    await expect(save(person, 'ERC20', SEGWIT, '123456')).rejects.toMatchObject(refused('invalid_address'));
    expect(await world.mails(person)).toEqual(mails);
  });

  test('test coins are for the test network alone', async () => {
    const person = await world.addPerson();
    const testAddress = 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7';
    await expect(codeFor(person, 'BTC', testAddress)).rejects.toMatchObject(refused('invalid_address'));
    const { context } = world;
    const staging: Context = { ...context, config: { ...context.config, bitcoinNetwork: 'testnet' } };
    const query = { purpose: 'address', network: 'BTC', address: testAddress } as const;
    expect(await sendOtp(staging, person.memberId, query)).toMatchObject({ delayed: false });
  });

  test('refuses a code for another address, another network or a withdrawal, and one that was used', async () => {
    const hex = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const person = await world.addPerson();
    const forWithdrawal = await world.freshCode(person, { amount: 100 });
    await expect(save(person, 'ERC20', hex, forWithdrawal)).rejects.toMatchObject(refused('wrong_otp'));
    const otp = await codeFor(person, 'ERC20', hex);
    await expect(save(person, 'BEP20', hex, otp)).rejects.toMatchObject(refused('wrong_otp'));
    await expect(save(person, 'TRC20', TRON, otp)).rejects.toMatchObject(refused('wrong_otp'));
    expect((await findAddress(world.context.db, person.memberId))?.address).toBe(TRON);
    await save(person, 'ERC20', hex, otp);
    await expect(save(person, 'ERC20', hex, otp)).rejects.toMatchObject(refused('wrong_otp'));
    expect((await findAddress(world.context.db, person.memberId))?.address).toBe(hex);
  });

  test('is refused while the account is frozen', async () => {
    const person = await world.addPerson();
    await sql`update identity.member set frozen_at = now() where id = ${person.memberId}`.execute(world.context.db);
    await expect(codeFor(person, 'BTC', SEGWIT)).rejects.toMatchObject(refused('account_frozen'));
    await expect(save(person, 'BTC', SEGWIT, '123456')).rejects.toMatchObject(refused('account_frozen'));
  });
});

describe('This was not me', () => {
  test('stops withdrawals and changes of the address, also what was approved before; twice is fine', async () => {
    const person = await world.addPerson();
    const { id } = await world.withdraw(person, { amount: 100 });
    const approved = await world.move(id, 'approved');
    const otp = await world.freshCode(person, { amount: 200 });
    await save(person, 'BTC', SEGWIT, await codeFor(person, 'BTC', SEGWIT));
    const token = await alarmOf(person);
    expect(await isStopped(person)).toBe(false);
    await reportAddressChange(world.context, token, '192.0.2.9');
    expect(await isStopped(person)).toBe(true);
    const told = await world.messages(person);
    expect(told.at(-1)).toBe('Withdrawals from your account were stopped. Open Query to write to support.');
    await reportAddressChange(world.context, token);
    expect(await world.messages(person)).toEqual(told);

    await expect(codeFor(person, 'TRC20', TRON)).rejects.toMatchObject(refused('withdrawals_frozen'));
    await expect(save(person, 'TRC20', TRON, otp)).rejects.toMatchObject(refused('withdrawals_frozen'));
    await expect(world.freshCode(person, { amount: 200 })).rejects.toMatchObject(refused('withdrawals_frozen'));
    await expect(
      inTransaction(world.context.db, (tx) => refuseUnlessPayable(tx, world.context, approved)),
    ).rejects.toMatchObject(refused('withdrawals_frozen'));
    const rows = await listRows(world.context.db)<{ actor_kind: string; after: unknown; address: string }>`
      select actor_kind, after, address from audit.entry
      where subject = ${`member:${person.memberId}`} and action = 'member.freeze_withdrawals'`;
    expect(rows).toEqual([
      {
        actor_kind: 'member',
        after: { frozen: true, cause: 'not_me', why: 'the button in the mail about address_changed' },
        address: '192.0.2.9',
      },
    ]);
  });

  test('the email about an address that was replaced since is good too', async () => {
    const person = await world.addPerson();
    await save(person, 'BTC', SEGWIT, await codeFor(person, 'BTC', SEGWIT));
    const token = await alarmOf(person);
    await save(person, 'TRC20', TRON, await codeFor(person, 'TRC20', TRON));
    await reportAddressChange(world.context, token);
    expect(await isStopped(person)).toBe(true);
  });

  test('a token stored only as a hash: one that was never issued, was modified or is 30 days old has no effect', async () => {
    const person = await world.addPerson();
    await save(person, 'BTC', SEGWIT, await codeFor(person, 'BTC', SEGWIT));
    const token = await alarmOf(person);
    const rows = await listRows(world.context.db)<{ row: string }>`
      select row_to_json(a)::text as row from funds.payout_address a where member_id = ${person.memberId}`;
    expect(rows.some(({ row }) => row.includes(token) || row.includes(Buffer.from(token).toString('hex')))).toBe(false);
    const changed = token.startsWith('A') ? `B${token.slice(1)}` : `A${token.slice(1)}`;
    for (const other of [changed, token.slice(1), 'x']) {
      await expect(reportAddressChange(world.context, other)).rejects.toMatchObject(refused('wrong_alarm'));
    }
    const late: Context = { ...world.context, now: () => new Date(world.clock.now().getTime() + 30 * 86_400_000) };
    await expect(reportAddressChange(late, token)).rejects.toMatchObject(refused('wrong_alarm'));
    expect(await isStopped(person)).toBe(false);
  });
});
