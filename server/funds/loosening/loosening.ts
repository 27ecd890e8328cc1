import type { BodyOf } from '#contract/endpoint.ts';
import { consoleLoosenings, type Loosening, type LooseningKind } from '#contract/operator/loosenings.ts';
import {
  type Contact,
  getMember,
  type LooseningPayload,
  listActiveOperators,
  listContacts,
  lockAnyMember,
  looseningFrame,
  operators,
  setVerified,
  unfreezeMember,
} from '#server/accounts/index.ts';
import {
  decide,
  doesProposerCount,
  type Executor,
  executeDue,
  type ListedKind,
  listProposalRows,
  type OperatorActor,
  type Proposal,
  propose,
  showProposal,
  showProposals,
} from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { listStoppedWithdrawals } from '../find-owner-sql.ts';
import { refuseOwnMember } from '../review/refuse-own-member.ts';
import { releaseWithdrawals } from '../withdrawals/freeze-withdrawals.ts';

type Payload = LooseningPayload;
type Shown = Pick<Loosening, 'what' | 'member'>;

const { access: roles } = consoleLoosenings.approveLoosening;

/** From a proposal of the only one who may until it is carried out. */
const ALONE_WAIT_MS = 24 * 3_600_000;

/**
 * Lifting a restriction of a member (docs/product.md, section 10): unfreezing, resuming withdrawals, setting *verified*.
 * It takes two people of finance or admin. Putting the restriction up again meanwhile ends what was proposed, so that what
 * is approved is about the restriction that both have seen.
 *
 * Approving refuses `own_proposal` also to who is the member themselves.
 */
export const looseningKind: ListedKind<Payload, Shown> = {
  ...looseningFrame,
  roles,
  operators,
  lock: async (tx, { memberId }) => {
    await lockAnyMember(tx, memberId as bigint);
  },
  refuseApprover: refuseOwnMember,
  execute: async (tx, context, proposal, executor) => {
    const memberId = proposal.memberId as bigint;
    const { what } = proposal.payload;
    if (!(await isStillMeant(tx, proposal))) return undefined;
    if (proposal.approvedBy === null && executor.actor.kind === 'system') {
      // What one operator may do alone in a rehearsal is not done in live mode, nor on the word of who was disabled since.
      if (context.config.mode === 'live' || !(await doesProposerCount(tx, looseningKind, proposal))) return undefined;
    }
    const { id: loosening, reason: why } = proposal;
    await lifts[what](tx, { ...executor, memberId, why, loosening, now: context.now() });
    return { resultId: memberId, logged: { memberId, what } };
  },
  show: async (db, proposals) => {
    const contacts = await listContacts(db, [...new Set(proposals.map(({ memberId }) => memberId as bigint))]);
    return proposals.map(({ memberId, payload }) => {
      const { id, referralCode, name } = contacts.get(memberId as bigint) as Contact;
      return { what: payload.what, member: { id: id.toString(), referral_code: referralCode, name } };
    });
  },
};

/**
 * Proposes to lift a restriction. Nothing changes until a second operator approves it; outside live mode, while there is
 * nobody else who may, it is carried out after 24 hours instead, and can be withdrawn until then.
 *
 * Refuses `not_found`, `account_closed`, `nothing_to_lift`, `own_proposal` to who is the member themselves,
 * `proposal_waiting`, and what every decision does.
 */
export function proposeLoosening(
  context: Context,
  actor: OperatorActor,
  { member_id, what, reason, otp }: BodyOf<typeof consoleLoosenings.proposeLoosening>,
): Promise<Loosening> {
  const wanted = { memberId: BigInt(member_id), what, reason };
  return decide(context, actor, {
    operators,
    roles,
    otp,
    precheck: (db) => refuseUnlessNeeded(db, wanted),
    lock: (tx) => lockAnyMember(tx, wanted.memberId),
    execute: (tx) => insertLoosening(tx, context, actor, wanted),
  });
}

type Wanted = { readonly memberId: bigint; readonly what: LooseningKind; readonly reason: string };

/** The same in the transaction of an operator who may, and without a code. Holds the member. */
export async function insertLoosening(
  tx: Tx,
  context: Context,
  actor: OperatorActor,
  wanted: Wanted,
): Promise<Loosening> {
  const { memberId, what, reason } = wanted;
  await lockAnyMember(tx, memberId);
  await refuseUnlessNeeded(tx, wanted);
  await refuseOwnMember(tx, { memberId }, actor.operatorId);
  const isAlone = context.config.mode !== 'live' && (await listActiveOperators(tx, roles)).length === 1;
  const dueAt = isAlone ? new Date(context.now().getTime() + ALONE_WAIT_MS) : undefined;
  const draft = { memberId, payload: { what }, reason, needsApproval: !isAlone, dueAt };
  return showProposal(tx, looseningKind, await propose(tx, context, looseningKind, actor, draft));
}

/** Job: carries out what the only operator who may proposed 24 hours ago. */
export const executeDueLoosenings = (context: Context): Promise<number> => executeDue(context, looseningKind);

/** What is proposed about a member and neither carried out nor ended, oldest last. */
export async function listOpenLoosenings(db: Db, memberId: bigint): Promise<Loosening[]> {
  const filter = { state: 'open', memberId, after: undefined, limit: 10 } as const;
  return showProposals(db, looseningKind, await listProposalRows<Payload>(db, looseningKind.name, filter));
}

async function refuseUnlessNeeded(db: Db, { memberId, what }: Wanted): Promise<void> {
  const restriction = await findRestriction(db, memberId, what);
  if (restriction === 'closed') throw new Refused('account_closed');
  if (restriction === undefined) throw new Refused('nothing_to_lift');
  const open = await listProposalRows<Payload>(db, 'loosening', {
    state: 'open',
    memberId,
    after: undefined,
    limit: 10,
  });
  if (open.some(({ payload }) => payload.what === what)) throw new Refused('proposal_waiting');
}

/** Whether the restriction of a proposal is the one that was seen when it was made; the caller holds the member. */
async function isStillMeant(tx: Tx, { memberId, payload, proposedAt }: Proposal<Payload>): Promise<boolean> {
  const restriction = await findRestriction(tx, memberId as bigint, payload.what);
  if (restriction === undefined || restriction === 'closed') return false;
  return restriction.since === null || restriction.since <= proposedAt;
}

type Restriction = { readonly since: Date | null };

/** The restriction that this would lift, `closed` of a closed account; undefined when it is not in force. */
async function findRestriction(
  db: Db,
  memberId: bigint,
  what: LooseningKind,
): Promise<Restriction | 'closed' | undefined> {
  const member = await getMember(db, memberId);
  if (member.isCompany) throw new Refused('not_found');
  if (member.closedAt !== null) return 'closed';
  switch (what) {
    case 'unfreeze':
      return member.frozenAt === null ? undefined : { since: member.frozenAt };
    case 'verify':
      return (await listContacts(db, [memberId])).get(memberId)?.verifiedAt === null ? { since: null } : undefined;
    case 'lift_withdrawal_stop': {
      const [stop] = await listStoppedWithdrawals(db, [memberId]);
      return stop && { since: stop.frozen_at };
    }
  }
}

type Lift = Executor & {
  readonly memberId: bigint;
  readonly why: string;
  readonly loosening: bigint;
  readonly now: Date;
};

const lifts: Record<LooseningKind, (tx: Tx, lift: Lift) => Promise<boolean>> = {
  unfreeze: unfreezeMember,
  lift_withdrawal_stop: releaseWithdrawals,
  verify: (tx, lift) => setVerified(tx, { ...lift, verified: true }),
};
