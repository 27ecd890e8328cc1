import { expect, test } from 'vitest';
import { bonusMessage, claimableMessage, monthlyMessage, rewardMessage, weeklyMessage } from './messages.ts';
import { inputsText, outputsText } from './period-digest.ts';

test('members read what was paid and what it is a share of', () => {
  expect(bonusMessage('2026-03-04', 1_234_500n)).toBe('Session of 4 Mar 2026: $1.2345 from the fees of your team.');
  expect(weeklyMessage({ startsOn: '2026-03-02', paid: 2_177_150n })).toBe(
    'Week 2026-W10: $2.1772 from the weekly pool.',
  );
  expect(monthlyMessage({ month: '2026-03', rank: 1, paid: 2_000_000n })).toBe(
    'March 2026: $2.00 from the monthly pool, rank Bronze.',
  );
  expect(claimableMessage({ month: '2026-03', rank: 5 })).toBe(
    "Your team's volume of March 2026 reached Diamond. Its reward can be claimed.",
  );
  expect(rewardMessage({ rank: 2, paid: 5_000_000n })).toBe('Reward Silver: $5.00 from the rewards pool.');
});

test('what is hashed of a period names everything it rests on and came to', () => {
  const week = { kind: 'weekly', startsOn: '2026-03-02', endsOn: '2026-03-09' } as const;
  const sessions = [{ day: '2026-03-04', outputsHash: 'ab' }];
  const inputs = { ...week, planId: 1, pool: 5n, carried: 2n, sessions };
  expect(inputsText({ ...inputs, rule: 1 })).toBe(
    'weekly 2026-03-02 2026-03-09\nplan 1\npool 5 2\nsession 2026-03-04 ab\n',
  );
  expect(inputsText({ ...inputs, rule: 2 })).toContain('\nplan 1\nrule 2\npool 5 2\n');
  const outputs = { paid: 4n, batches: ['cd', 'ef'] };
  expect(outputsText({ ...outputs, rule: 1, released: 0n })).toBe('paid 4\nblock cd\nblock ef\n');
  expect(outputsText({ ...outputs, rule: 2, released: 1n })).toBe('paid 4\nreleased 1\nblock cd\nblock ef\n');
});
