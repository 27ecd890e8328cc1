import type { RawBuilder } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import { inputsText, outputsText } from '../core/manifest.ts';
import { type FeeShares, shareHouse } from '../core/waterfall.ts';
import { sha256 } from '../sha256.ts';
import { addBonuses } from './bonus-block-sql.ts';
import {
  createTemporarySums,
  insertNextLevel,
  insertOwn,
  listTraderHashes,
  type SumTable,
  sumOwn,
} from './level-sum-sql.ts';
import { computeBlocks, forbidWriting, type RunSums } from './rerun-sql.ts';

/** A session to be shared out once more, on paper. */
export type Rerun = {
  readonly day: string;
  readonly feePlanId: number;
  readonly shares: FeeShares;
  /** Level 0, as `insertOwn` takes it. */
  readonly traders: RawBuilder<unknown>;
  /** As `bonusLines` takes them. */
  readonly beneficiaries: (sums: SumTable) => RawBuilder<unknown>;
};

const LAST_LEVEL = 10;

/**
 * Works a session out again by the same statements a run uses, in a transaction that can write nothing but a temporary
 * table of level sums.
 */
export async function rerun(
  tx: Tx,
  { day, feePlanId, shares, traders, beneficiaries }: Rerun,
): Promise<{ sums: RunSums; inputsHash: string; outputsHash: string }> {
  const table = await createTemporarySums(tx);
  await forbidWriting(tx);
  await insertOwn(tx, table, traders);
  for (let level = 1; level <= LAST_LEVEL; level += 1) await insertNextLevel(tx, table, level);
  const inputs = inputsText({ day, feePlanId, shares, blocks: await listTraderHashes(tx, table) });
  const blocks = await computeBlocks(tx, table, beneficiaries(table), shares);
  const { tradeFees, performanceFees } = await sumOwn(tx, table);
  const collected = { tradeFees, performanceFees };
  const bonuses = addBonuses(blocks);
  const house = shareHouse(collected, bonuses, shares);
  const outputs = outputsText({ day, blocks: blocks.map(({ hash }) => hash), ...collected, ...bonuses, ...house });
  const count = blocks.reduce((sum, block) => sum + block.beneficiaries, 0);
  return {
    sums: { ...collected, ...bonuses, ...house, beneficiaries: count },
    inputsHash: sha256(inputs),
    outputsHash: sha256(outputs),
  };
}
