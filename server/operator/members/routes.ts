import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { listDeposits, listMovements, listWithdrawals } from '#server/funds/index.ts';
import { mount, type OperatorCaller } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { listTicketsOfMember } from '#server/tickets/index.ts';
import { listPlans, listTrades } from '#server/trading/index.ts';
import { findMembers } from './find-members.ts';
import { getMemberPage } from './get-member-page.ts';
import { noteReading } from './note-reading.ts';

type MemberCall = {
  readonly caller: OperatorCaller;
  readonly address: string;
  readonly params: { readonly id: string };
};

const readerOf = ({ caller, address }: Omit<MemberCall, 'params'>) => ({ operatorId: caller.operatorId, address });

export function mountConsoleMembers(http: Http, context: Context): void {
  const { db } = context;
  /** Who is read about, once the reading is in the audit log. */
  const memberOf = async (call: MemberCall): Promise<bigint> =>
    (await noteReading(context, readerOf(call), BigInt(call.params.id))).id;

  mount(http, endpoints.consoleMembers, {
    findMembers: ({ query }) => findMembers(context, query),
    getMemberPage: (call) => getMemberPage(context, readerOf(call), BigInt(call.params.id)),
    listMovementsOf: async (call) => listMovements(context, await memberOf(call), call.query),
    listTradesOf: async (call) => listTrades(db, { memberId: await memberOf(call), ...call.query }),
    listPlansOf: async (call) => listPlans(db, { memberId: await memberOf(call), ...call.query }),
    listDepositsOf: async (call) => {
      const { items, next_cursor } = await listDeposits(context, await memberOf(call), call.query);
      return { items, next_cursor };
    },
    listWithdrawalsOf: async (call) => listWithdrawals(context, await memberOf(call), call.query),
    listTicketsOf: async (call) => listTicketsOfMember(db, await memberOf(call), call.query),
  });
}
