import { createHash } from 'node:crypto';
import type { Tx } from '#server/db/connect.ts';
import { manifestText } from '../core/manifest.ts';
import { readManifest, replayBlocks } from './manifest-sql.ts';
import { findReplayTerms } from './session-figures-sql.ts';

/** A hash as a session left it, and as it comes out now. */
export type ReplayedHash = { readonly stored: string; readonly replayed: string };

/**
 * Works the results of a settled session out once more, from the amounts and prices of its trades, its rates and its closing
 * marks alone: neither fees nor results nor sums are read. The manifest's hash must be the same.
 *
 * @returns undefined for a session that has no manifest
 */
export async function replayResults(tx: Tx, day: string): Promise<ReplayedHash | undefined> {
  const terms = await findReplayTerms(tx, day);
  if (terms === undefined) return undefined;
  const { rates, manifestHash } = terms;
  const { marks } = await readManifest(tx, day);
  const text = manifestText({ day, rates, marks, blocks: rates === null ? [] : await replayBlocks(tx, day, rates) });
  return { stored: manifestHash, replayed: createHash('sha256').update(text).digest('hex') };
}
