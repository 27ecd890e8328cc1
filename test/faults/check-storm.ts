import { sql } from 'kysely';
import pino from 'pino';
import { sealAudit, writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { runMarket } from '#server/income/index.ts';
import { sealLedger } from '#server/ledger/index.ts';
import { advanceMarket } from '#server/market/index.ts';
import { checkIntegrity } from '#server/operator/integrity/check-integrity.ts';
import { Refused } from '#server/refused.ts';
import { getAlarms } from '#server/solvency/index.ts';
import { cancelTrade, placeTrade } from '#server/trading/index.ts';
import { type FaultCluster, openFaultWorld } from './fault-world.ts';
import { addFundedMembers } from './simulated-users.ts';

export type StormReport = {
  readonly checks: number;
  readonly seals: number;
  readonly trades: number;
  readonly faults: readonly string[];
};

const SETTINGS = {
  MARKET_SPEED: '3600',
  // A Sunday at the end of a month: the first session ends both periods. A session lasts five seconds.
  MARKET_START: '2026-05-31T12:20:00Z',
};
const MEMBERS = 20;
const WORKERS = 4;
const CONNECTIONS = 12;

/**
 * Reconciles the ledger repeatedly for some seconds, full and incremental in turn, while members trade, session fees
 * are shared, weeks and months are paid, and ledger and audit log are sealed without a pause. No check may report
 * anything, not even a discrepancy that a recheck clears. Then a balance and a transfer are changed behind the ledger's
 * back, and one check must report each.
 */
export async function stormChecks(cluster: FaultCluster, seconds: number): Promise<StormReport> {
  const world = await openFaultWorld(cluster, 'faults_checks', SETTINGS, CONNECTIONS);
  const { database } = world;
  const faults: string[] = [];
  const context = { ...world.context, log: listenFor('gone', faults) };
  let isOver = false;
  const count = { checks: 0, seals: 0, trades: 0 };
  const repeat = async (act: () => Promise<unknown>) => {
    while (!isOver) await act();
  };
  try {
    await addFundedMembers(context, MEMBERS);
    const ends = [
      repeat(seal(context, count)),
      repeat(followMarket(context)),
      ...Array.from({ length: WORKERS }, (_, worker) => repeat(trade(context, worker, count))),
    ];
    try {
      const end = Date.now() + seconds * 1000;
      while (Date.now() < end) {
        const { findings } = await checkIntegrity(context, count.checks % 2 === 0 ? 'whole' : 'new');
        count.checks += 1;
        faults.push(...findings.map(({ check, subject, message }) => `${check}: ${subject} ${message}`));
      }
      faults.push(...(await getAlarms(context.db)).map(({ why }) => `alarm: ${why}`));
      if (faults.length === 0) faults.push(...(await plantFaults(context, database)));
    } finally {
      isOver = true;
      await Promise.all(ends);
    }
    return { ...count, faults };
  } finally {
    await database.close();
  }
}

/** A log that keeps only the lines about discrepancies that a recheck cleared. */
const listenFor = (word: string, heard: string[]) =>
  pino({ level: 'warn' }, { write: (line: string) => void (line.includes(word) && heard.push(line.trim())) });

const seal = (context: Context, count: { seals: number }) => async () => {
  if (await sealLedger(context)) count.seals += 1;
  await inTransaction(context.db, (tx) =>
    writeAudit(tx, { actor: { kind: 'system', id: null }, action: 'storm.seal', subject: 'books' }),
  );
  await sealAudit(context);
};

const followMarket = (context: Context) => {
  let skipTo: Date | undefined;
  let last = performance.now();
  return async () => {
    const now = performance.now();
    await advanceMarket(context, { elapsedMs: now - last, skipTo });
    last = now;
    ({ skipTo } = await runMarket(context));
  };
};

/** Places trades and cancels every other one, where the session allows it. */
const trade = (context: Context, worker: number, count: { trades: number }) => {
  let turn = worker;
  return async () => {
    turn += 1;
    const memberId = BigInt(2 + (turn % MEMBERS));
    const { id } = await placeTrade(context, memberId, {
      tradeId: 'btc',
      amount: 5 + (turn % 7),
      wallet_type: 'primary',
    });
    count.trades += 1;
    if (turn % 2 === 0) return;
    await cancelTrade(context, memberId, BigInt(id)).catch((error: unknown) => {
      if (!(error instanceof Refused && error.code === 'trade_not_queued')) throw error;
    });
  };
};

/** @returns the planted faults that a check missed */
async function plantFaults(context: Context, database: Database): Promise<string[]> {
  const asOwner = (statement: string) =>
    database.runScript(`set local session_replication_role = replica; ${statement}`);
  const missed: string[] = [];
  const find = async (check: string, scope: 'new' | 'whole') => {
    const { findings } = await checkIntegrity(context, scope);
    if (!findings.some((finding) => finding.check === check)) missed.push(`a planted fault was not found by ${check}`);
  };
  // The company's profit wallet, from which nobody trades.
  await asOwner('update ledger.account set balance = balance + 1 where id = 34');
  await find('sums', 'new');
  await asOwner("update ledger.transfer set note = 'x' where id = (select min(id) from ledger.transfer)");
  await find('seals', 'whole');
  const { rows } = await sql`select 1 from integrity.alarm where cause = 'integrity'`.execute(context.db);
  return rows.length === 1 ? missed : [...missed, 'a planted fault did not alarm'];
}
