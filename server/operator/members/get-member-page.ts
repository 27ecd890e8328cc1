import { toDollars } from '#contract/money.ts';
import type { MemberPage } from '#contract/operator/members.ts';
import {
  getProtection,
  listContacts,
  type Member,
  nameMember,
  type Protection,
  showSignIn,
} from '#server/accounts/index.ts';
import type { OperatorActor } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import {
  findAddress,
  listDeposits,
  listMovements,
  listOpenLoosenings,
  listStoppedWithdrawals,
  listWithdrawals,
} from '#server/funds/index.ts';
import { getBalances, type MemberClass } from '#server/ledger/index.ts';
import { countTeams, findUpline } from '#server/team/index.ts';
import { listTicketsOfMember } from '#server/tickets/index.ts';
import { getWalletSummary, listPlans, listTrades } from '#server/trading/index.ts';
import { listAuditAbout } from '../audit/list-audit.ts';
import { noteReading } from './note-reading.ts';

const SHOWN = { limit: 10 };

/**
 * Everything about one member (docs/product.md, section 10): identity, account state and newest activity. Every role
 * sees email and mobile unmasked; the audit log records who read them. Refuses `not_found`.
 */
export async function getMemberPage(context: Context, reader: OperatorActor, memberId: bigint): Promise<MemberPage> {
  const member = await noteReading(context, reader, memberId);
  const { db } = context;
  const [standing, lists, sponsors, team, balances, summary, address, audit, loosenings] = await Promise.all([
    getProtection(context, memberId),
    listNewest(context, memberId),
    listSponsors(db, memberId),
    countTeam(db, memberId),
    getBalances(db, memberId),
    getWalletSummary(db, memberId),
    findAddress(db, memberId),
    listAuditAbout(db, memberId, SHOWN.limit),
    listOpenLoosenings(db, memberId),
  ]);
  return {
    member: { ...showMember(member, standing), ...(await showFlags(db, memberId)) },
    loosenings,
    sponsors,
    team,
    balances: inDollars(balances),
    summary,
    limits: standing.limits,
    address,
    ...lists,
    sign_ins: standing.signIns.map(showSignIn),
    audit,
  };
}

async function listNewest(context: Context, memberId: bigint) {
  const { db } = context;
  const [movements, trades, plans, deposits, withdrawals, tickets] = await Promise.all([
    listMovements(context, memberId, SHOWN),
    listTrades(db, { memberId, ...SHOWN }),
    listPlans(db, { memberId, ...SHOWN }),
    listDeposits(context, memberId, SHOWN),
    listWithdrawals(context, memberId, SHOWN),
    listTicketsOfMember(db, memberId, SHOWN),
  ]);
  return {
    movements: movements.items,
    trades: trades.items,
    plans: plans.items,
    deposits: deposits.items,
    withdrawals: withdrawals.items,
    tickets: tickets.items,
  };
}

async function listSponsors(db: Db, memberId: bigint): Promise<MemberPage['sponsors']> {
  const ids = await findUpline(db, memberId);
  const contacts = await listContacts(db, ids);
  return ids.flatMap((id) => {
    const contact = contacts.get(id);
    return contact === undefined ? [] : [{ ...nameMember(contact), company: contact.isCompany }];
  });
}

async function countTeam(db: Db, memberId: bigint): Promise<MemberPage['team']> {
  const count = (await countTeams(db, [memberId])).get(memberId);
  return { levels: (count?.byLevel ?? []).map(Number), total: Number(count?.total ?? 0n) };
}

const inDollars = (balances: Record<MemberClass, bigint>): MemberPage['balances'] => ({
  primary: toDollars(balances.primary),
  profit: toDollars(balances.profit),
  trade_escrow: toDollars(balances.trade_escrow),
  investment: toDollars(balances.investment),
  withdrawal_hold: toDollars(balances.withdrawal_hold),
});

const showMember = (member: Member, { security }: Protection) => ({
  ...nameMember(member),
  email: member.email,
  mobile_number: member.mobileNumber,
  created_at: member.createdAt.toISOString(),
  frozen_at: member.frozenAt?.toISOString() ?? null,
  closed_at: member.closedAt?.toISOString() ?? null,
  security,
});

async function showFlags(db: Db, memberId: bigint) {
  const verifiedAt = (await listContacts(db, [memberId])).get(memberId)?.verifiedAt ?? null;
  const [stopped] = await listStoppedWithdrawals(db, [memberId]);
  return {
    verified_at: verifiedAt?.toISOString() ?? null,
    withdrawals_frozen: stopped === undefined ? null : { at: stopped.frozen_at.toISOString(), cause: stopped.cause },
  };
}
