import { expect, test } from 'vitest';
import { workerCluster } from '#test/database/database.ts';
import { killInsidePayout } from './payout-kill.ts';

// `npm run faults` runs each step many times; restart.pg.test.ts of payouts kills a worker at every query and call.
test.each([
  ['as BTCPay Server accepts its payout', 'btcpay', 'createPayout'],
  ['as NOWPayments is told to release its payout', 'nowpayments', 'verifyPayout'],
] as const)('a server killed %s does not repeat it, and finds it', { timeout: 240_000 }, async (_, gateway, call) => {
  const report = await killInsidePayout(workerCluster(), 1, gateway, [{ call, laterMs: 0 }]);
  expect(report.faults).toEqual([]);
  expect(report.kills).toBe(1);
});
