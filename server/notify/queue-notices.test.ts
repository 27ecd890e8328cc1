import { expect, test } from 'vitest';
import { emailTopicOf, mailedByDefault, maxPerDay } from './queue-notices.ts';

test.each([
  ['deposit_credited', 'deposits'],
  ['deposit_taken_back', undefined],
  ['ticket_answered', 'tickets'],
  ['bonus_paid', 'incomes'],
  ['weekly_income', 'incomes'],
  ['monthly_income', 'incomes'],
  ['reward_claimable', 'incomes'],
  ['session_settled', 'trading'],
  ['trade_cancelled', 'trading'],
  ['plan_paused', 'trading'],
  ['withdrawal_completed', undefined],
  ['withdrawals_frozen', undefined],
  ['address_changed', undefined],
  ['new_device', undefined],
  ['password_changed', undefined],
  ['account_frozen', undefined],
])('%s belongs to the topic %s', (kind, topic) => {
  expect(emailTopicOf(kind)).toBe(topic);
});

test('which emails a day one address gets at most, and which topics are emailed unless turned off', () => {
  expect(maxPerDay).toEqual({ code: 30, reset: 20, signup: 10, news: 50 });
  expect(mailedByDefault).toEqual({ deposits: true, tickets: true, incomes: false, trading: false });
});
