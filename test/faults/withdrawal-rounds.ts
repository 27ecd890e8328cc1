import { checkFunds } from '#server/funds/index.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { followMarket } from '#server/trading/index.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { playUntil, recordMarket, still } from '#test/recorded/recorded-market.ts';
import { rushFault, rushKinds, rushWithdrawals } from '#test/worlds/withdrawal-rush.ts';
import { openFaultWorld } from './fault-world.ts';

export type RushReport = { readonly rounds: number; readonly attempts: number; readonly faults: readonly string[] };

const CONCURRENCY = 200;
const CONNECTIONS = 30;

/**
 * Rounds of 200 simultaneous attempts at a member's whole balance, equally many of each kind: withdrawals with the same
 * code, withdrawals that bypass the code check, and withdrawals against trades. Exactly one of each round may succeed;
 * in the end the ledger must verify.
 */
export async function rushInRounds(cluster: Cluster, roundsEach: number): Promise<RushReport> {
  const recording = recordMarket({ from: '2026-03-04T12:00:00Z', minutes: 60, candle: () => still('100') });
  const settings = { MARKET_FEED: 'replay', REPLAY_DATA: recording.folder, MARKET_START: '2026-03-04T12:20:00Z' };
  const { database, context } = await openFaultWorld(cluster, 'faults_withdrawals', settings, CONNECTIONS);
  const faults: string[] = [];
  try {
    await playUntil(context, '2026-03-04T12:25:00Z', () => followMarket(context));
    for (let round = 1; round <= roundsEach; round += 1) {
      for (const kind of rushKinds) {
        const fault = rushFault(await rushWithdrawals(context, kind, { count: CONCURRENCY }));
        if (fault !== undefined) faults.push(`round ${round}, ${kind}: ${fault}`);
      }
    }
    const findings = [...(await checkFunds(database.db)), ...(await verifyLedger(database.db))];
    faults.push(...findings.map(({ subject, message }) => `${subject}: ${message}`));
    const rounds = roundsEach * rushKinds.length;
    return { rounds, attempts: rounds * CONCURRENCY, faults };
  } finally {
    await database.close();
    recording.remove();
  }
}
