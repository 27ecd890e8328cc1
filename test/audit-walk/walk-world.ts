import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { symbols } from '#contract/rules.ts';
import type { PublishedHeads } from '#contract/solvency/heads.ts';
import { sealAudit, writeAudit } from '#server/audit/index.ts';
import { boot } from '#server/boot.ts';
import { type Config, readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { runMarket } from '#server/income/index.ts';
import { sealLedger } from '#server/ledger/index.ts';
import { advanceMarket } from '#server/market/index.ts';
import type { SealKey } from '#server/signing/index.ts';
import { publishHeads, takeDailySnapshot } from '#server/solvency/index.ts';
import { closeTrade, listTrades, placeTrade } from '#server/trading/index.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { createRoleDatabase, type RoleUrls } from '#test/database/postgres-roles.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';
import { openMinutes } from '#test/recorded/recordings.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';

/** The amount of activity before the forgeries. */
export type WalkSize = { readonly members: number; readonly minutes: number; readonly tradesPerMinute: number };

/** An hour of trades, as the server's role. */
export const HOUR: WalkSize = { members: 24, minutes: 60, tradesPerMinute: 10 };

export type WalkWorld = {
  readonly database: string;
  readonly urls: RoleUrls;
  readonly config: Config;
  /** The key comes from outside the database, which only records which key signed what. */
  readonly sealKey: SealKey;
  /** The heads that an auditor stored elsewhere: at the start, and once the last minute was sealed. */
  readonly kept: readonly PublishedHeads[];
  readonly trades: number;
  readonly seals: number;
  readonly close: () => void;
};

const MINUTE = 60_000;

/**
 * A new database with roles, whose members trade for an hour of a session while each minute is sealed. The auditor
 * stores the heads before the first minute and after the last. The last minute holds only a deposit and an audit log
 * entry, so that it can be removed entirely.
 */
export async function playWalk(cluster: Cluster, database: string, size: WalkSize): Promise<WalkWorld> {
  const recording = openMinutes(undefined);
  const opensAt = recording.opens[0] as number;
  const urls = await createRoleDatabase(cluster, database);
  const folder = mkdtempSync(join(scratchFolder(), 'tradewind-walk-'));
  const config = readConfig({
    DATABASE_URL: urls.app,
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    SANDBOX_SECRET: 'a secret of this walk alone',
    MARKET_FEED: 'replay',
    REPLAY_DATA: recording.folder,
    MARKET_START: new Date(opensAt - 10 * MINUTE).toISOString(),
  });
  const booted = await boot(config);
  let now = opensAt;
  const context: Context = { ...booted.context, db: booted.database.jobs, now: () => new Date(now) };
  let seals = 0;
  const seal = async () => {
    if ((await sealLedger(context)) !== undefined) seals += 1;
    await sealAudit(context);
  };
  try {
    const members = await makeMembers(context, size.members);
    await seal();
    const kept = [await publishHeads(context)];
    let trades = 0;
    for (let minute = 0; minute < size.minutes; minute += 1) {
      now += MINUTE;
      await moveTo(context, now);
      trades += await tradeOnce(context, members, minute, size.tradesPerMinute);
      await moveTo(context, now);
      await seal();
    }
    await takeDailySnapshot(context);
    now += 60 * MINUTE;
    await playLastMinute(context, members[0] as bigint);
    await seal();
    kept.push(await publishHeads(context));
    const { sealKey } = context;
    if (sealKey === undefined) throw new Error('no key signs the seals');
    return {
      database,
      urls,
      config,
      sealKey,
      trades,
      seals,
      kept: kept.filter((one) => one !== undefined),
      close: () => rmSync(folder, { recursive: true, force: true }),
    };
  } finally {
    await booted.database.close();
  }
}

async function makeMembers(context: Context, count: number): Promise<bigint[]> {
  const ids: bigint[] = [];
  for (let index = 0; index < count; index += 1) {
    const { memberId } = await signUp(context, { name: `Member ${index}`, email: `walk.${index}@example.com` });
    await giveFunds(context, memberId, 10_000_000_000n);
    ids.push(memberId);
  }
  return ids;
}

async function moveTo(context: Context, untilMs: number): Promise<void> {
  await advanceMarket(context, { elapsedMs: 0, skipTo: new Date(untilMs) });
  await runMarket(context);
}

/** Some members place a trade, and some close their oldest open one. @returns the number of trades placed */
async function tradeOnce(context: Context, members: readonly bigint[], minute: number, count: number): Promise<number> {
  for (let index = 0; index < count; index += 1) {
    const turn = minute * count + index;
    const memberId = members[turn % members.length] as bigint;
    const tradeId = symbols[(turn * 7) % symbols.length] as string;
    await placeTrade(context, memberId, { tradeId, amount: 5 + (turn % 90), wallet_type: 'primary' });
    if (turn % 3 !== 0) continue;
    const open = (await listTrades(context.db, { memberId, limit: 100 })).items.filter(({ state }) => state === 'open');
    const oldest = open.at(-1);
    if (oldest !== undefined) await closeTrade(context, memberId, BigInt(oldest.id));
  }
  return count;
}

async function playLastMinute(context: Context, memberId: bigint): Promise<void> {
  await giveFunds(context, memberId, 7_000_000n);
  await inTransaction(context.db, (tx) =>
    writeAudit(tx, { actor: { kind: 'system', id: null }, action: 'test.note', subject: `member:${memberId}` }),
  );
}
