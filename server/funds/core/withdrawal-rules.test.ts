import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withdrawalBars, withdrawalStates } from '#contract/funds/withdrawals.ts';
import {
  addressOperation,
  amountRefusal,
  approvalsMissing,
  approvalsNeeded,
  hasNewDevice,
  inGroups,
  moveOf,
  openWithdrawalStates,
  releasedWithdrawalStates,
  restrictionOf,
  usableFrom,
  utcDayOf,
  withdrawalFeeOf,
  withdrawalNotice,
  withdrawalOperation,
} from './withdrawal-rules.ts';

const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));

describe('fee', () => {
  test('is its share rounded down, and never below its minimum', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: usd(10), max: usd(10_000) }),
        fc.integer({ min: 0, max: 1000 }),
        fc.bigInt({ min: 0n, max: usd(20) }),
        (amount, bps, minimumMicros) => {
          const fee = withdrawalFeeOf(amount, { bps, minimumMicros });
          expect(fee).toBeGreaterThanOrEqual(minimumMicros);
          const exact = amount * BigInt(bps);
          if (fee > minimumMicros) expect(fee * 10_000n).toBeLessThanOrEqual(exact);
          expect(exact).toBeLessThan((fee + 1n) * 10_000n);
        },
      ),
    );
  });
});

describe('amounts', () => {
  test.each([
    [9.999999, 1, 0, 'withdrawal_out_of_limits'],
    [10, 1, 0, undefined],
    [10, 10, 0, 'withdrawal_out_of_limits'],
    [10, 9.999999, 0, undefined],
    [0, 0, 0, 'withdrawal_out_of_limits'],
    [10_000, 100, 0, undefined],
    [10_000.000001, 100, 0, 'withdrawal_day_limit'],
    [10, 1, 9_990, undefined],
    [10.000001, 1, 9_990, 'withdrawal_day_limit'],
    [9, 1, 10_000, 'withdrawal_out_of_limits'],
  ] as const)('$%d at a fee of $%d after $%d of the day: %s', (amount, fee, live, refusal) => {
    expect(amountRefusal(usd(amount), usd(fee), usd(live))).toBe(refusal);
  });

  test.each([
    [0.000001, 1],
    [4_999.999999, 1],
    [5_000, 2],
    [10_000, 2],
  ] as const)('a day of $%d takes %d operators', (sum, operators) => {
    expect(approvalsNeeded(usd(sum))).toBe(operators);
  });

  const given = (...counts: boolean[]) => counts.map((one, index) => ({ operatorId: BigInt(index), counts: one }));
  test.each([
    ['requested', 4_000, given(), 1],
    ['requested', 6_000, given(), 2],
    ['requested', 6_000, given(true), 1],
    ['requested', 6_000, given(false), 2],
    ['requested', 6_000, given(false, true), 1],
    ['requested', 6_000, given(false, true, true), 0],
    ['approved', 6_000, given(true), 0],
    ['approved', 6_000, given(false), 1],
    ['approved', 6_000, given(false, true), 1],
    ['approved', 4_000, given(false, true), 0],
    ['approved', 4_000, given(false), 1],
    ['approved', 6_000, [...given(true), ...given(true)], 0],
    ['requested', 6_000, [...given(true), ...given(true)], 1],
  ])('one %s, $%d on its day, lacks what does not count (%#)', (state, sum, approvals, missing) => {
    expect(approvalsMissing({ isApproved: state === 'approved', daySumMicros: usd(sum), approvals })).toBe(missing);
  });
});

describe('what stands in the way', () => {
  const now = new Date('2026-03-04T12:00:00Z');
  const clear = { isFrozen: false, areWithdrawalsFrozen: false, lacksVerification: false, usableFrom: now };

  test('the first restriction is named, in the order of the contract', () => {
    const later = new Date(now.getTime() + 1);
    const worst = { isFrozen: true, areWithdrawalsFrozen: true, lacksVerification: true, usableFrom: null };
    const lifted = [
      worst,
      { ...worst, isFrozen: false },
      { ...worst, isFrozen: false, areWithdrawalsFrozen: false },
      { ...clear, usableFrom: null },
      { ...clear, usableFrom: later },
    ];
    expect(lifted.map((conditions) => restrictionOf(conditions, now)?.code)).toEqual([...withdrawalBars]);
    expect(restrictionOf({ ...clear, usableFrom: later }, now)).toEqual({ code: 'withdrawal_waiting', until: later });
    expect(restrictionOf(clear, now)).toBeUndefined();
  });

  test('an address is usable 24 hours after it was saved or after security changed, whichever is later', () => {
    const monday = new Date('2026-03-02T10:00:00Z');
    expect(usableFrom(monday, null)).toEqual(new Date('2026-03-03T10:00:00Z'));
    expect(usableFrom(monday, new Date('2026-03-02T16:00:00Z'))).toEqual(new Date('2026-03-03T16:00:00Z'));
    expect(usableFrom(monday, new Date('2026-01-01T00:00:00Z'))).toEqual(new Date('2026-03-03T10:00:00Z'));
  });

  test('a day ends at midnight UTC', () => {
    expect(utcDayOf(new Date('2026-03-04T23:59:59.999Z'))).toBe('2026-03-04');
    expect(utcDayOf(new Date('2026-03-05T00:00:00.000Z'))).toBe('2026-03-05');
  });
});

describe('moves', () => {
  const allowed = withdrawalStates.flatMap((from) =>
    ([null, 'gateway', 'hand'] as const).flatMap((payoutWay) =>
      withdrawalStates.flatMap((to) => {
        const fate = moveOf({ state: from, payoutWay }, to);
        return fate === undefined ? [] : [`${from} ${payoutWay ?? 'unpaid'} → ${to}: ${fate}`];
      }),
    ),
  );

  test('are those of docs/product.md and no others', () => {
    const ways = (line: string) => [
      line.replace('*', 'unpaid'),
      line.replace('*', 'gateway'),
      line.replace('*', 'hand'),
    ];
    expect(allowed.toSorted()).toEqual(
      [
        'requested * → approved: kept',
        'requested * → cancelled: released',
        'requested * → rejected: released',
        'sent * → completed: paid',
        'sent * → failed: released',
        'sent * → uncertain: kept',
        'uncertain * → sent: kept',
        'uncertain * → completed: paid',
        'uncertain * → failed: released',
      ]
        .flatMap(ways)
        .concat([
          'approved unpaid → rejected: released',
          'approved gateway → sent: kept',
          'approved hand → sent: kept',
          'approved gateway → uncertain: kept',
          'approved gateway → failed: released',
          'approved hand → uncertain: kept',
        ])
        .toSorted(),
    );
  });

  test('a state holds the amount, or released it, or paid it out', () => {
    expect([...openWithdrawalStates, ...releasedWithdrawalStates, 'completed'].toSorted()).toEqual(
      [...withdrawalStates].toSorted(),
    );
  });
});

describe('what a code confirms', () => {
  const order = {
    amountMicros: usd(250.5),
    wallet: 'primary',
    network: 'TRC20',
    address: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
  } as const;

  test('is described in full, so that nobody gives out a code for another operation', () => {
    expect(withdrawalOperation(order)).toEqual({
      details: '250500000/primary/TRC20/TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
      what: 'a withdrawal of $250.50 from your Primary Wallet to the TRC20 address TNPe eaaF B7K9 cmo4 uQpc U32z GK8G 1NYq eL',
    });
    expect(addressOperation(order)).toEqual({
      details: 'TRC20/TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
      what: 'the TRC20 address TNPe eaaF B7K9 cmo4 uQpc U32z GK8G 1NYq eL for all further withdrawals',
    });
    expect(inGroups('abcd')).toBe('abcd');
  });

  test.each([
    ['amount', { amountMicros: usd(250.500001) }],
    ['wallet', { wallet: 'profit' }],
    ['network', { network: 'BEP20' }],
    ['address', { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }],
  ] as const)('another %s is another operation, in what is bound and in what is read', (_, change) => {
    const other = withdrawalOperation({ ...order, ...change });
    expect(other.details).not.toBe(withdrawalOperation(order).details);
    expect(other.what).not.toBe(withdrawalOperation(order).what);
  });
});

describe('what the member hears', () => {
  const row = {
    reference: 'WD-7M2QX4',
    amount_micros: usd(100),
    fee_micros: usd(1),
    network: 'TRC20',
    address: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
    transaction: 'f'.repeat(64),
    note: 'The address belongs to an exchange that refused it',
  } as const;
  const heard = (state: (typeof withdrawalStates)[number]) => withdrawalNotice({ ...row, state });

  test('a payment names what was paid out, to where, and its hash', () => {
    expect(heard('completed')).toEqual({
      kind: 'withdrawal_completed',
      message: 'Your withdrawal WD-7M2QX4 is complete: $99.00 was paid out to your TRC20 address.',
      mail: {
        subject: 'Withdrawal completed: WD-7M2QX4',
        text: `Your withdrawal WD-7M2QX4 is complete: $99.00 was paid out to your TRC20 address.\n\nAddress: ${row.address}\n\nTransaction: ${row.transaction}\n`,
      },
    });
    expect(withdrawalNotice({ ...row, state: 'sent', transaction: null }).mail?.text).not.toContain('Transaction');
  });

  test('a returned withdrawal says so, with the reason', () => {
    const because = '$100.00 is back in your wallet. Reason: The address belongs to an exchange that refused it.';
    expect(heard('failed').message).toBe(`Your withdrawal WD-7M2QX4 failed. ${because}`);
    expect(heard('rejected').message).toBe(`Your withdrawal WD-7M2QX4 was rejected. ${because}`);
    expect(withdrawalNotice({ ...row, state: 'cancelled', note: null })).toEqual({
      kind: 'withdrawal_cancelled',
      message: 'You cancelled your withdrawal WD-7M2QX4. $100.00 is back in your wallet.',
    });
  });

  test('every state is notified, and emailed unless it is the member’s own action or requires only waiting', () => {
    expect(withdrawalStates.filter((state) => heard(state).mail === undefined)).toEqual([
      'approved',
      'uncertain',
      'cancelled',
    ]);
    expect(new Set(withdrawalStates.map((state) => heard(state).message)).size).toBe(withdrawalStates.length);
  });
});

const march = (day: number, hour: number) => new Date(Date.UTC(2026, 2, day, hour));

test.each<[string, Date[], Date, boolean | null]>([
  ['seen 23 hours before', [march(1, 12), march(3, 12)], march(4, 11), true],
  ['seen a day before to the second', [march(1, 12), march(3, 12)], march(4, 12), false],
  ['seen at that moment', [march(4, 12)], march(4, 12), true],
  ['seen only afterwards', [march(4, 13)], march(4, 12), null],
  ['an old one, and another seen afterwards', [march(1, 12), march(4, 13)], march(4, 12), false],
  ['none', [], march(4, 12), null],
])('%s', (_, firstSeen, at, expected) => {
  expect(hasNewDevice(firstSeen, at)).toBe(expected);
});
