import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { inGroups } from './operation-details.ts';
import type { MemberNotice } from './withdrawal-notice.ts';

/** What the member hears when their payout address was changed; the mail carries the link that stops a thief. */
export function addressNotice(
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
