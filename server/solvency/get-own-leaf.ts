import type { DataOf } from '#contract/endpoint.ts';
import { leafAccounts, levelsOf } from '#contract/solvency/merkle-sum.ts';
import type { solvencySeal } from '#contract/solvency/proof.ts';
import { getServerKey } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { showSnapshot } from './show-snapshot.ts';
import { nonceOf } from './snapshot-keys.ts';
import { findLastSnapshot, findLeaf, listPath } from './snapshot-sql.ts';

type OwnLeaf = DataOf<typeof solvencySeal.getOwnLeaf>;

/**
 * How the newest snapshot counts a member, with all it takes to check that without the server: balances, nonce, place and
 * path. Null before the first snapshot; without a leaf for who joined after it.
 */
export async function getOwnLeaf({ db, now }: Context, memberId: bigint): Promise<OwnLeaf> {
  const snapshot = await findLastSnapshot(db);
  if (snapshot === undefined) return null;
  const shown = showSnapshot(snapshot);
  const leaf = await findLeaf(db, snapshot.no, memberId);
  if (leaf === undefined) return { snapshot: shown, leaf: null };
  const serverKey = await inTransaction(db, (tx) => getServerKey(tx, 'solvency', now()));
  const path = await listPath(db, snapshot.no, leaf.position, levelsOf(snapshot.leaves));
  const balances = leafAccounts.map((name, at) => [name, String(leaf.balances[at])] as const);
  return {
    snapshot: shown,
    leaf: {
      referral_code: leaf.code,
      balances_micros: Object.fromEntries(balances) as Record<(typeof leafAccounts)[number], string>,
      nonce: nonceOf(serverKey, snapshot.no, memberId).toString('hex'),
      position: leaf.position,
      path: path.map(({ sum, hash }) => ({ sum_micros: sum.toString(), hash: hash.toString('hex') })),
    },
  };
}
