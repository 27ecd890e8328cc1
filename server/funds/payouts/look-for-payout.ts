import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { execute, findRow, getRow, listRows } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import { chooseGateways } from '../gateways/choose-gateway.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { findWithdrawal } from '../withdrawals/withdrawal.ts';
import { takeFound } from './claim-payout.ts';

/** `found`: it was written down. `unavailable`: nobody could say. */
export type LookAnswer = 'missing' | 'found' | 'unavailable';

/** Two rounds of the worker and one call of the gateway. */
const WAIT_MS = 15_000;
const PAUSE_MS = 100;

/**
 * Asks the gateway, by way of the worker, whether it has a payout of this withdrawal: the key that sees payouts is nowhere
 * else (docs/operations.md, "Processes"). What it says is from after this moment. Waits outside of any transaction;
 * `unavailable` when no worker answers in time.
 */
export async function lookForPayout(
  { db, now }: Context,
  withdrawalId: bigint,
  waitMs: number = WAIT_MS,
): Promise<LookAnswer> {
  const { id } = await insertLook(db, withdrawalId, now());
  try {
    const began = performance.now();
    for (;;) {
      const look = await findLook(db, id);
      if (look === undefined) return 'unavailable';
      if (look.answer !== null) return look.answer;
      if (performance.now() - began >= waitMs) return 'unavailable';
      await sleep(PAUSE_MS);
    }
  } finally {
    await deleteLook(db, id);
  }
}

/** Who asked has given up by then, or its process has ended. */
const FORGOTTEN_AFTER_MS = 120_000;

/**
 * Answers what operators asked, in a worker. May be run by any number of them: what is found is written down once.
 *
 * @returns how many were answered
 */
export async function answerLooks(
  context: Context,
  gateways: readonly Gateway[] = chooseGateways(context),
): Promise<number> {
  const { db, now } = context;
  const looks = await listLooks(db);
  for (const look of looks) {
    const isForgotten = look.askedAt.getTime() <= now().getTime() - FORGOTTEN_AFTER_MS;
    if (isForgotten) await deleteLook(db, look.id);
    else await answerLook(context, gateways, look);
  }
  return looks.length;
}

async function answerLook(context: Context, gateways: readonly Gateway[], { id, withdrawalId }: Look): Promise<void> {
  let answer: LookAnswer = 'unavailable';
  try {
    answer = await ask(context, gateways, withdrawalId);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  } finally {
    // Whatever went wrong: who waits is told at once.
    await updateLook(context.db, id, answer);
  }
}

/** Of a withdrawal that has moved on meanwhile, or is of a gateway out of service, nobody can speak. */
async function ask(context: Context, gateways: readonly Gateway[], withdrawalId: bigint): Promise<LookAnswer> {
  const seen = await findWithdrawal(context.db, withdrawalId);
  const gateway = gateways.find(({ name }) => name === seen?.gateway);
  if (seen?.state !== 'uncertain' || gateway === undefined) return 'unavailable';
  const payout = await gateway.findPayout(seen.reference, seen.created_at);
  if (payout === undefined) return 'missing';
  await takeFound(context, seen, payout);
  return 'found';
}

type Look = { readonly id: bigint; readonly withdrawalId: bigint; readonly askedAt: Date };

const insertLook = (db: Db, withdrawalId: bigint, now: Date) =>
  getRow(db)<{ id: bigint }>`
    insert into funds.payout_look (withdrawal_id, asked_at) values (${withdrawalId}, ${now}) returning id`;

const findLook = (db: Db, id: bigint) =>
  findRow(db)<{ answer: LookAnswer | null }>`select answer from funds.payout_look where id = ${id}`;

const listLooks = (db: Db) =>
  listRows(db)<Look>`
    select id, withdrawal_id as "withdrawalId", asked_at as "askedAt" from funds.payout_look
    where answer is null order by id limit 100`;

const updateLook = (db: Db, id: bigint, answer: LookAnswer) =>
  execute(db)`update funds.payout_look set answer = ${answer} where id = ${id}`;

const deleteLook = (db: Db, id: bigint) => execute(db)`delete from funds.payout_look where id = ${id}`;
