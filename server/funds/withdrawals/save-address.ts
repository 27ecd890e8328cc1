import type { BodyOf } from '#contract/endpoint.ts';
import type { PayoutAddress, PayoutNetwork, withdrawals } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { english } from '#contract/texts.ts';
import {
  claimOtpTry,
  consumeOtp,
  consumeSecondFactor,
  lockWithdrawer,
  notifySecurity,
  precheckSecondFactor,
  type SecurityNotice,
  type Withdrawer,
} from '#server/accounts/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { readPayoutAddress } from '../core/payout-address.ts';
import { addressOperation, inGroups, usableFrom } from '../core/withdrawal-rules.ts';
import {
  type AddressRow,
  addressColumns,
  findAddressInForce,
  hasWithdrawalFreeze,
  readWithdrawer,
} from './payout-guard.ts';

const { t } = english;

/**
 * Replaces the payout address, retaining the old one, and emails the member (docs/product.md, section 5). The 24 hours
 * restart even for an unchanged address.
 */
export async function saveAddress(
  tx: Tx,
  context: Context,
  change: PayTo & { readonly memberId: bigint; readonly networkAddress?: string },
): Promise<AddressRow> {
  const { memberId, network, address, networkAddress } = change;
  const now = context.now();
  await lockAddresses(tx, memberId);
  const before = await replaceAddress(tx, memberId, now);
  const saved = await insertAddress(tx, { memberId, network, address, now });
  await writeAudit(tx, {
    actor: { kind: 'member', id: memberId },
    action: 'member.change_payout_address',
    subject: `member:${memberId}`,
    before: before && { network: before.network, address: before.address },
    after: { network, address },
    address: networkAddress,
  });
  await notifySecurity(context, tx, { memberId, ...addressNotice({ network, address }) });
  return saved;
}

type PayTo = { readonly network: PayoutNetwork; readonly address: string };

/** Validates an address and returns its canonical form. Refuses `invalid_address`. */
export function readAddress({ config }: Context, typed: PayTo): PayTo {
  const address = orRefuse(readPayoutAddress(typed.network, typed.address, config.bitcoinNetwork), 'invalid_address');
  return { network: typed.network, address };
}

/** The member's notification of a new payout address; the email contains the link that stops withdrawals. */
function addressNotice({ network, address }: PayTo): Omit<SecurityNotice, 'memberId'> {
  const message = t`Your payout address is now the ${network} address ${address}. Withdrawals wait ${withdrawalRules.waitHours} hours.`;
  return {
    kind: 'address_changed',
    message,
    mail: ({ supportEmail }) => ({
      subject: t`Your account has a new payout address`,
      text: [
        t`A payout address was saved for your account.`,
        t`Withdrawals now go to the ${network} address ${inGroups(address)}. They wait ${withdrawalRules.waitHours} hours, so that you can stop them.`,
        `${t`If this was you, you can ignore this email. If not, stop withdrawals, then change your password and write to ${supportEmail}.`}\n`,
      ].join('\n\n'),
    }),
  };
}

/**
 * Saves the payout address with a code that was emailed for exactly this network and address (docs/product.md,
 * section 5).
 *
 * @param networkAddress IP address of the request, for the audit log
 * @throws Refused in this order: invalid_address, account_frozen, withdrawals_frozen, second_factor_required,
 * wrong_second_factor, wrong_otp
 */
export async function updateAddress(
  context: Context,
  memberId: bigint,
  input: BodyOf<typeof withdrawals.updateAddress>,
  networkAddress?: string,
): Promise<PayoutAddress> {
  const { db } = context;
  const payTo = readAddress(context, input);
  await refuseFrozen(db, memberId, await readWithdrawer(db, memberId));
  await precheckSecondFactor(context, memberId, input.second_factor);
  const attempt = { memberId, purpose: 'address', now: context.now() } as const;
  if (!(await claimOtpTry(db, attempt))) throw new Refused('wrong_otp');

  return inTransaction(db, async (tx) => {
    const withdrawer = await lockWithdrawer(tx, memberId);
    await refuseFrozen(tx, memberId, withdrawer);
    await consumeSecondFactor(context, tx, memberId, input.second_factor);
    const { details } = addressOperation(payTo);
    if (!(await consumeOtp(tx, { ...attempt, details, otp: input.otp }))) throw new Refused('wrong_otp');
    const saved = await saveAddress(tx, context, { memberId, ...payTo, networkAddress });
    return showAddress(saved, usableFrom(saved.saved_at, withdrawer.securityChangedAt));
  });
}

/** While withdrawals are stopped, the address cannot be changed either. */
export async function refuseFrozen(db: Db, memberId: bigint, withdrawer: Withdrawer): Promise<void> {
  if (withdrawer.frozenAt !== null) throw new Refused('account_frozen');
  if (await hasWithdrawalFreeze(db, memberId)) throw new Refused('withdrawals_frozen');
}

/** The member's payout address, and from when it can be paid; null before one was saved. */
export async function findAddress(db: Db, memberId: bigint): Promise<PayoutAddress | null> {
  const address = await findAddressInForce(db, memberId);
  if (address === undefined) return null;
  const { securityChangedAt } = await readWithdrawer(db, memberId);
  return showAddress(address, usableFrom(address.saved_at, securityChangedAt));
}

export const showAddress = (row: AddressRow, usable: Date): PayoutAddress => ({
  network: row.network,
  address: row.address,
  usable_from: usable.toISOString(),
});

/** Serializes changes of a member's address; the first has no row to lock. */
const lockAddresses = (tx: Tx, memberId: bigint) =>
  execute(tx)`
    select pg_advisory_xact_lock(hashtextextended(${`funds.payout_address/${memberId}`}, 0))`;

/** Ends the current address; undefined when there was none. */
const replaceAddress = (tx: Tx, memberId: bigint, now: Date) =>
  findRow(tx)<AddressRow>`
    update funds.payout_address set replaced_at = ${now}
    where member_id = ${memberId} and replaced_at is null
    returning ${addressColumns}`;

const insertAddress = (tx: Tx, draft: PayTo & { readonly memberId: bigint; readonly now: Date }) =>
  getRow(tx)<AddressRow>`
    insert into funds.payout_address (member_id, network, address, saved_at)
    values (${draft.memberId}, ${draft.network}, ${draft.address}, ${draft.now})
    returning ${addressColumns}`;
