import type { MailTopic } from '#contract/notify.ts';

/**
 * Whether a topic goes by email as long as a member has not chosen (docs/product.md, section 9: the important ones do).
 */
export const mailedByDefault: Readonly<Record<MailTopic, boolean>> = {
  deposits: true,
  tickets: true,
  incomes: false,
  trading: false,
};

const topics: readonly [start: string, topic: MailTopic][] = [
  ['deposit_', 'deposits'],
  ['ticket_', 'tickets'],
  ['bonus_', 'incomes'],
  ['weekly_', 'incomes'],
  ['monthly_', 'incomes'],
  ['reward_', 'incomes'],
  ['session_', 'trading'],
  ['plan_', 'trading'],
];

/** A payment that was taken back freezes the account, so it is no matter of choice. */
const always = ['deposit_taken_back'];

/**
 * The topic of a kind of notification that its member can choose about, or undefined: what tells of sign-in, addresses,
 * withdrawals and freezes is emailed whatever was chosen, and what belongs to no topic is never emailed on its own.
 *
 * `emailTopicOf('deposit_credited') === 'deposits'`, `emailTopicOf('withdrawal_sent') === undefined`
 */
export function emailTopicOf(kind: string): MailTopic | undefined {
  if (always.includes(kind)) return undefined;
  return topics.find(([start]) => kind.startsWith(start))?.[1];
}
