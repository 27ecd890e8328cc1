import { wordsOfKind } from '#contract/ledger-reasons.ts';
import type { TicketAbout } from '#contract/tickets/tickets.ts';
import type { Context } from '#server/context.ts';
import { getDeposit, getWithdrawal } from '#server/funds/index.ts';
import { listStatement } from '#server/ledger/index.ts';
import { Refused } from '#server/refused.ts';
import { getTrade } from '#server/trading/index.ts';
import type { NewTicket } from './ticket-sql.ts';

type FindLabel = (context: Context, memberId: bigint, id: bigint) => Promise<string>;

const labelOf: Record<TicketAbout['kind'], FindLabel> = {
  movement: async ({ db }, memberId, position) => {
    const [line] = await listStatement(db, { memberId, before: position + 1n, limit: 1 });
    if (line?.position !== position) throw new Refused('about_not_found');
    return `${wordsOfKind(line.reason)}, ${line.reference}`;
  },
  trade: async (context, memberId, id) => `Trade ${(await getTrade(context, memberId, id)).trade.id}`,
  deposit: async (context, memberId, id) => (await getDeposit(context, memberId, id)).reference,
  withdrawal: async (context, memberId, id) => (await getWithdrawal(context, memberId, id)).reference,
};

/**
 * What a ticket is about, with its name as people quote it: `DP-7M2QX4`, `Trade 17`, `Trade fee, trade 17`. It must be
 * the member's own; what is another member's is as unknown as what does not exist.
 *
 * Refuses `about_not_found`.
 */
export async function findAbout(
  context: Context,
  memberId: bigint,
  { kind, id }: TicketAbout,
): Promise<NonNullable<NewTicket['about']>> {
  try {
    return { kind, id: BigInt(id), label: await labelOf[kind](context, memberId, BigInt(id)) };
  } catch (error) {
    if (error instanceof Refused && error.status === 404) throw new Refused('about_not_found', { field: 'about' });
    throw error;
  }
}
