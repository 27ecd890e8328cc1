import { strict as assert } from 'node:assert';
import type { BonusKind, ExplainedBonus } from '#contract/income.ts';
import { toDollars, toTotal } from '#contract/money.ts';
import { listContacts, nameMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, type Paging, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { orRefuse } from '#server/refused.ts';
import { readLineId } from '../core/line-id.ts';
import { neededDirects, percentOf, showBonusLine } from '../core/show-line.ts';
import { type ContributorQuery, findRunFees, listContributors, listSessionLines, type StoredLine } from './line-sql.ts';
import { showTransfers } from './show-transfers.ts';

type LineId = { readonly kind: BonusKind; readonly id: string };

/**
 * A bonus line with its sources: the traders, their fees, the rate, the other levels and the ledger's transfers. Also
 * explains a line that paid nothing, with the reason.
 *
 * @throws Refused not_found, also for another member's line
 */
export async function explainLine(
  context: Context,
  memberId: bigint,
  { kind, id }: LineId,
  { cursor, limit }: Paging,
): Promise<ExplainedBonus> {
  const after = readIdCursor(cursor);
  const key = orRefuse(readLineId(id), 'not_found');
  return inSnapshot(context.db, async (tx) => {
    const lines = await listSessionLines(tx, { memberId, kind, day: key.day });
    const found = lines.find(({ level }) => level === key.level);
    const line = orRefuse(found, 'not_found');
    const run = await findRunFees(tx, key.day);
    assert(run, `the run of ${key.day} has fees, as it has lines`);
    return {
      kind,
      line: showBonusLine(line),
      fee_plan_id: String(run.feePlanId),
      session_fees: toDollars(kind === 'team-profit' ? run.performanceFees : run.tradeFees),
      execution_cost: toDollars(kind === 'team-profit' ? run.performanceCost : run.tradeCost),
      active_directs: Number(line.activeDirects),
      needed_directs: neededDirects(line.level),
      levels: lines.map(showLevel),
      contributors: await showContributors(tx, { memberId, kind, ...key, after, limit }, line),
      transfers: await showTransfers(tx, [`bonus/${key.day}/${keyOf[kind]}/${memberId}`]),
    };
  });
}

/** Names of the kinds in the keys of a bonus run's transfers. */
const keyOf: Record<BonusKind, string> = { referral: 'referral', level: 'level', 'team-profit': 'profit' };

const showLevel = (line: StoredLine): ExplainedBonus['levels'][number] => ({
  level: line.level,
  traders: Number(line.traders),
  volume: toTotal(line.volume),
  fees: toDollars(line.fees),
  rate: percentOf(line.bps),
  amount: toDollars(line.amount),
  reason: line.reason,
});

async function showContributors(
  tx: Db,
  query: ContributorQuery,
  line: StoredLine,
): Promise<ExplainedBonus['contributors']> {
  const found = await listContributors(tx, { ...query, limit: query.limit + 1 });
  const { rows, nextCursor } = cutPage(found, query.limit, ({ memberId }) => memberId.toString());
  const contacts = await listContacts(
    tx,
    rows.map(({ memberId }) => memberId),
  );
  const items = rows.map(({ memberId, volume, fees }) => {
    const contact = contacts.get(memberId);
    assert(contact, `member ${memberId}, who traded, has an account`);
    return { ...nameMember(contact), volume: toTotal(volume), fees: toDollars(fees) };
  });
  return { items, next_cursor: nextCursor, total: Number(line.traders) };
}
