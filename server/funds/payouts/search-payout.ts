import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { execute, findRow, getRow, listRows } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import { chooseGateways } from '../gateways/choose-gateway.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { findWithdrawal, orderOf } from '../withdrawals/withdrawal.ts';
import { isNews, recordPayout } from './claim-payout.ts';

/** `found`: the payout was recorded. `unavailable`: no answer. */
export type SearchResult = 'missing' | 'found' | 'unavailable';

/** Two rounds of the worker and one call to the gateway. */
const WAIT_MS = 15_000;
const PAUSE_MS = 100;

/**
 * Searches the gateway for a payout of this withdrawal, through the worker, which alone has the payout key
 * (docs/operations.md, "Processes"). The gateway is called only after this function was. Waits outside of any transaction;
 * `unavailable` when no worker answers in time.
 */
export async function searchPayout(
  { db, now }: Context,
  withdrawalId: bigint,
  waitMs: number = WAIT_MS,
): Promise<SearchResult> {
  const { id } = await insertSearch(db, withdrawalId, now());
  try {
    const began = performance.now();
    for (;;) {
      const search = await findSearch(db, id);
      if (search === undefined) return 'unavailable';
      if (search.answer !== null) return search.answer;
      if (performance.now() - began >= waitMs) return 'unavailable';
      await sleep(PAUSE_MS);
    }
  } finally {
    await deleteSearch(db, id);
  }
}

/** By then the requesting process has given up or ended. */
const ABANDONED_AFTER_MS = 120_000;

/**
 * Job: answers operators' searches, at once, because each waits for its own. Safe to run by several workers: a payout is
 * recorded once.
 *
 * @returns how many were processed
 */
export async function answerSearches(
  context: Context,
  gateways: readonly Gateway[] = chooseGateways(context),
): Promise<number> {
  const { db, now } = context;
  const searches = await listSearches(db);
  const ended = await Promise.allSettled(
    searches.map((search) => {
      const isAbandoned = search.askedAt.getTime() <= now().getTime() - ABANDONED_AFTER_MS;
      return isAbandoned ? deleteSearch(db, search.id) : answerSearch(context, gateways, search);
    }),
  );
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return searches.length;
}

async function answerSearch(
  context: Context,
  gateways: readonly Gateway[],
  { id, withdrawalId }: Search,
): Promise<void> {
  let answer: SearchResult = 'unavailable';
  try {
    answer = await findAndRecord(context, gateways, withdrawalId);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  } finally {
    // Also after an error, so that the waiting request returns at once.
    await updateSearch(context.db, id, answer);
  }
}

/** `unavailable` also when the withdrawal has moved on, or its gateway is no longer configured. */
async function findAndRecord(
  context: Context,
  gateways: readonly Gateway[],
  withdrawalId: bigint,
): Promise<SearchResult> {
  const withdrawal = await findWithdrawal(context.db, withdrawalId);
  const gateway = gateways.find(({ name }) => name === withdrawal?.gateway);
  if (withdrawal?.state !== 'uncertain' || gateway === undefined) return 'unavailable';
  const payout = await gateway.findPayout(orderOf(withdrawal), withdrawal.created_at);
  if (payout === undefined || !isNews(withdrawal, payout)) return 'missing';
  await recordPayout(context, withdrawal, payout);
  return 'found';
}

type Search = { readonly id: bigint; readonly withdrawalId: bigint; readonly askedAt: Date };

const insertSearch = (db: Db, withdrawalId: bigint, now: Date) =>
  getRow(db)<{ id: bigint }>`
    insert into funds.payout_look (withdrawal_id, asked_at) values (${withdrawalId}, ${now}) returning id`;

const findSearch = (db: Db, id: bigint) =>
  findRow(db)<{ answer: SearchResult | null }>`select answer from funds.payout_look where id = ${id}`;

const listSearches = (db: Db) =>
  listRows(db)<Search>`
    select id, withdrawal_id as "withdrawalId", asked_at as "askedAt" from funds.payout_look
    where answer is null order by id limit 8`;

const updateSearch = (db: Db, id: bigint, answer: SearchResult) =>
  execute(db)`update funds.payout_look set answer = ${answer} where id = ${id}`;

const deleteSearch = (db: Db, id: bigint) => execute(db)`delete from funds.payout_look where id = ${id}`;
