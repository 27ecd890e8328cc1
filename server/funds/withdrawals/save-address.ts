import { createHash, randomBytes } from 'node:crypto';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { notifyMember } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { readPayoutAddress } from '../core/payout-address.ts';
import type { MemberNotice } from '../core/withdrawal-notice.ts';
import { inGroups } from '../core/withdrawal-rules.ts';
import { type AddressRow, insertAddress, lockAddresses, replaceAddress } from './payout-address-sql.ts';

const ALARM_MS = 30 * 24 * 3_600_000;

/**
 * Puts an address in force in place of the one before, which is kept, and mails the member a link to the page with the
 * button *This was not me* (docs/product.md, section 5). The 24 hours begin anew, also for an address that was in force
 * already. Only the hash of the link's token is stored.
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
  const token = randomBytes(32).toString('base64url');
  const saved = await insertAddress(tx, {
    memberId,
    network,
    address,
    alarmHash: hashAlarm(token),
    alarmExpiresAt: new Date(now.getTime() + ALARM_MS),
    now,
  });
  await writeAudit(tx, {
    actor: { kind: 'member', id: memberId },
    action: 'member.change_payout_address',
    subject: `member:${memberId}`,
    before: before && { network: before.network, address: before.address },
    after: { network, address },
    ...(networkAddress === undefined ? {} : { address: networkAddress }),
  });
  const notice = addressNotice({ network, address }, alarmLink(context, token), context.config.supportEmail);
  await notifyMember(tx, { memberId, ...notice });
  return saved;
}

export const hashAlarm = (token: string): Buffer => createHash('sha256').update(token).digest();

/** In the fragment, which browsers keep to themselves: no server, log or referrer ever sees the token. */
function alarmLink({ config }: Context, token: string): string {
  return `${config.publicUrl ?? `http://${config.host}:${config.port}`}/not-me#${token}`;
}

type PayTo = { readonly network: PayoutNetwork; readonly address: string };

/** An address as it was typed, in the form in which it is stored. Refuses `invalid_address`. */
export function readAddress({ config }: Context, typed: PayTo): PayTo {
  const address = readPayoutAddress(typed.network, typed.address, config.bitcoinNetwork);
  if (address === undefined) throw new Refused('invalid_address');
  return { network: typed.network, address };
}

/** What the member hears when their payout address was changed; the mail carries the link that stops a thief. */
function addressNotice(
  { network, address }: { readonly network: PayoutNetwork; readonly address: string },
  alarmLink: string,
  supportEmail: string,
): MemberNotice {
  const message = `Your payout address was changed. Withdrawals go to the ${network} address ${address}, and wait ${withdrawalRules.waitHours} hours from now.`;
  return {
    kind: 'address_changed',
    message,
    mail: {
      subject: 'Your payout address was changed',
      text: [
        'The payout address of your account was changed.',
        `From now on withdrawals go to the ${network} address ${inGroups(address)}. They wait ${withdrawalRules.waitHours} hours, so that you can stop them.`,
        `If this was not you, open this page and press the button This was not me: ${alarmLink}`,
        `The button stops all withdrawals of your account until our team has spoken with you. Opening the page alone changes nothing. The link works for 30 days. Then change your password and write to ${supportEmail}.`,
        'If this was you, you need not do anything.\n',
      ].join('\n\n'),
    },
  };
}
