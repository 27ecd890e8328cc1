import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { DeskWithdrawal, payoutDesk } from '#contract/funds/review.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import { Refused } from '#server/refused.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { findWithdrawal } from '../withdrawals/withdrawal-sql.ts';
import { listDeskWithdrawalRows, showDeskWithdrawals } from './show-withdrawals.ts';

type ListDeskWithdrawals = typeof payoutDesk.listDeskWithdrawals;

/** A page of all members' withdrawals: the queue of a state in which they wait, oldest first, else newest first. */
export async function listDeskWithdrawals(
  { db }: Context,
  gateway: Gateway,
  query: QueryOf<ListDeskWithdrawals>,
): Promise<DataOf<ListDeskWithdrawals>> {
  const after = readIdCursor(query.cursor);
  const found = await listDeskWithdrawalRows(db, { state: query.state, after, limit: query.limit + 1 });
  const { rows, nextCursor } = cutPage(found, query.limit, (row) => row.id);
  return { items: await showDeskWithdrawals(db, gateway, rows), next_cursor: nextCursor };
}

/** One of them. Refuses `withdrawal_not_found`. */
export async function getDeskWithdrawal({ db }: Context, gateway: Gateway, id: bigint): Promise<DeskWithdrawal> {
  const row = await findWithdrawal(db, id);
  if (row === undefined) throw new Refused('withdrawal_not_found');
  const [shown] = await showDeskWithdrawals(db, gateway, [row]);
  return shown as DeskWithdrawal;
}
