import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withdrawalStates } from '#contract/funds/withdrawals.ts';
import { mailTopics } from '#contract/notify.ts';
import { emailTopicOf, mailedByDefault } from '#server/notify/queue-notices.ts';

const PROJECT = join(import.meta.dirname, '..');

/** Every notification, by whether it is emailed: always, never, or by the preference of a topic with its default. */
const emailed: Readonly<Record<string, readonly string[]>> = {
  always: [
    'deposit_taken_back',
    'withdrawal_requested',
    'withdrawal_sent',
    'withdrawal_completed',
    'withdrawal_rejected',
    'withdrawal_failed',
    'withdrawals_frozen',
    'withdrawals_released',
    'wallet_corrected',
    'address_changed',
    'password_changed',
    'new_device',
    'second_factor_on',
    'second_factor_off',
    'second_factor_ending',
    'second_factor_kept',
    'recovery_codes_renewed',
    'recovery_code_used',
    'passkey_added',
    'passkey_removed',
    'email_changed',
    'email_change_requested',
    'email_change_ended',
    'email_change_approved',
    'email_change_postponed',
    'own_limits_changed',
    'account_frozen',
    'account_released',
  ],
  'deposits (on)': ['deposit_credited', 'deposit_review', 'deposit_failed', 'deposit_refunded', 'deposit_rejected'],
  'tickets (on)': ['ticket_answered', 'ticket_closed'],
  'incomes (off)': ['bonus_paid', 'weekly_income', 'monthly_income', 'reward_claimable', 'reward_paid'],
  'trading (off)': ['session_settled', 'plan_paused', 'plan_skipped', 'trade_cancelled'],
  never: [
    'withdrawal_approved',
    'withdrawal_uncertain',
    'withdrawal_cancelled',
    'email_verified',
    'profile_changed',
    'account_verified',
    'account_unverified',
    'account_opened',
    'team_joined',
  ],
};
const rows = Object.entries(emailed).flatMap(([mail, kinds]) => kinds.map((kind) => ({ kind, mail })));

/** Kinds in the code: `kind: 'new_device'` and `depositNotice('deposit_review', …)` where notices are built. */
const written = globSync('server/**/*.ts', { cwd: PROJECT })
  .filter((path) => !/\.test\.|test-setup|^server\/(demo|live)\//.test(path))
  .map((path) => readFileSync(join(PROJECT, path), 'utf8'))
  .filter((text) => /#server\/notify\/|Notice\b|recordSecurityChange|notifySecurity/.test(text))
  .flatMap((text) => [
    ...text.matchAll(/\b(?:kind: (?:\w+ \? )?|\w*[nN]otice\(\s*)'([a-z]+(?:_[a-z]+)+)'(?: : '([a-z_]+)')?/g),
  ])
  .flatMap(([, first, second]) => [first, second].filter((kind) => kind !== undefined));

test('the list names every notification in the code, and no other', () => {
  const composed = [...withdrawalStates.map((state) => `withdrawal_${state}`), 'weekly_income', 'monthly_income'];
  const all = [...new Set([...written, ...composed])];
  expect(all.toSorted()).toEqual(rows.map(({ kind }) => kind).toSorted());
});

test('each is emailed as the code does it: by a preference with its default, always or never', () => {
  for (const { kind, mail } of rows) {
    const topic = emailTopicOf(kind);
    const expected = topic === undefined ? /^(always|never)$/ : `${topic} (${mailedByDefault[topic] ? 'on' : 'off'})`;
    expect([kind, mail]).toEqual([kind, typeof expected === 'string' ? expected : expect.stringMatching(expected)]);
  }
  const topics = new Set(rows.flatMap(({ kind }) => emailTopicOf(kind) ?? []));
  expect(topics).toEqual(new Set(mailTopics));
});
