import type { BodyOf } from '#contract/endpoint.ts';
import { consoleLoosenings, type Loosening, type LooseningKind } from '#contract/operator/loosenings.ts';
import { twoFactorOffDays } from '#contract/rules.ts';
import {
  type Contact,
  getMember,
  hasSecondFactor,
  type LooseningPayload,
  listActiveOperators,
  listContacts,
  lockAnyMember,
  looseningFrame,
  nameMember,
  notifyTwoFactorEnding,
  notifyTwoFactorKept,
  operators,
  setVerified,
  turnOffTwoFactor,
  unfreezeMember,
} from '#server/accounts/index.ts';
import {
  decide,
  doBothCount,
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
import { refuseOwnMember } from '../review/approvals.ts';
import { releaseWithdrawals } from '../withdrawals/freeze-withdrawals.ts';

type Payload = LooseningPayload;
type Shown = Pick<Loosening, 'what' | 'member'>;

const { access: roles } = consoleLoosenings.approveLoosening;

/** Delay before a proposal of the only entitled operator is executed. */
const SOLE_OPERATOR_WAIT_MS = 24 * 3_600_000;
/** In which the owner of the account can still use a factor, or report it. */
const TWO_FACTOR_WAIT_MS = twoFactorOffDays * 86_400_000;
const isTwoFactor = ({ what }: Payload) => what === 'turn_off_two_factor';

/**
 * Lifting a member's restriction (docs/product.md, section 10): unfreezing, resuming withdrawals, setting *verified*,
 * turning off two-factor authentication. It takes two operators of finance or admin. Imposing the restriction again ends
 * an open proposal, so that an approval always concerns the restriction that both operators have seen. Two-factor
 * authentication is turned off seven days after the approval; any use of it ends the proposal.
 *
 * Approving refuses `own_proposal`, also to the member themselves.
 */
export const looseningKind: ListedKind<Payload, Shown> = {
  ...looseningFrame,
  roles,
  operators,
  lock: async (tx, { memberId }) => {
    await lockAnyMember(tx, memberId as bigint);
  },
  refuseApprover: refuseOwnMember,
  waitMs: ({ payload }) => (isTwoFactor(payload) ? TWO_FACTOR_WAIT_MS : 0),
  notify: async (tx, context, event, { memberId, payload, dueAt }) => {
    if (!isTwoFactor(payload) || dueAt === null) return;
    if (event === 'withdrawn') await notifyTwoFactorKept(tx, context, memberId as bigint);
    else await notifyTwoFactorEnding(tx, context, memberId as bigint, dueAt);
  },
  execute: async (tx, context, proposal, executor) => {
    const memberId = proposal.memberId as bigint;
    const { what } = proposal.payload;
    if (!(await isSameRestriction(tx, proposal))) return undefined;
    if (executor.actor.kind === 'system' && !(await doesStillCount(tx, context, proposal))) return undefined;
    const { id: loosening, reason: why } = proposal;
    await lifts[what](tx, context, { ...executor, memberId, why, loosening, now: context.now() });
    return { resultId: memberId, logged: { memberId, what } };
  },
  show: async (db, proposals) => {
    const contacts = await listContacts(db, [...new Set(proposals.map(({ memberId }) => memberId as bigint))]);
    return proposals.map(({ memberId, payload }) => ({
      what: payload.what,
      member: nameMember(contacts.get(memberId as bigint) as Contact),
    }));
  },
};

/** Whether what is executed later still counts. A sole operator's proposal lapses in live mode. */
const doesStillCount = async (tx: Tx, { config }: Context, proposal: Proposal<Payload>): Promise<boolean> =>
  proposal.approvedBy === null
    ? config.mode !== 'live' && (await doesProposerCount(tx, looseningKind, proposal))
    : doBothCount(tx, looseningKind, proposal);

/**
 * Proposes to lift a restriction, which a second operator has to approve. Outside live mode, while no other operator is
 * entitled, it is executed after 24 hours instead (two-factor authentication: seven days), and can be withdrawn until then.
 *
 * Refuses `not_found`, `account_closed`, `nothing_to_lift`, `own_proposal` to the member themselves,
 * `proposal_waiting`, and whatever `decide` refuses.
 */
export function proposeLoosening(
  context: Context,
  actor: OperatorActor,
  { member_id, what, reason, otp }: BodyOf<typeof consoleLoosenings.proposeLoosening>,
): Promise<Loosening> {
  const input = { memberId: BigInt(member_id), what, reason };
  return decide(context, actor, {
    operators,
    roles,
    otp,
    precheck: (db) => refuseUnlessNeeded(db, input),
    lock: (tx) => lockAnyMember(tx, input.memberId),
    execute: (tx) => insertLoosening(tx, context, actor, input),
  });
}

type NewLoosening = { readonly memberId: bigint; readonly what: LooseningKind; readonly reason: string };

/** The same in the caller's transaction, for an entitled operator and without a code. Locks the member. */
export async function insertLoosening(
  tx: Tx,
  context: Context,
  actor: OperatorActor,
  input: NewLoosening,
): Promise<Loosening> {
  const { memberId, what, reason } = input;
  await lockAnyMember(tx, memberId);
  await refuseUnlessNeeded(tx, input);
  await refuseOwnMember(tx, { memberId }, actor.operatorId);
  const isAlone = context.config.mode !== 'live' && (await listActiveOperators(tx, roles)).length === 1;
  const waitMs = isTwoFactor({ what }) ? TWO_FACTOR_WAIT_MS : SOLE_OPERATOR_WAIT_MS;
  const dueAt = isAlone ? new Date(context.now().getTime() + waitMs) : undefined;
  const draft = { memberId, payload: { what }, reason, needsApproval: !isAlone, dueAt };
  return showProposal(tx, looseningKind, await propose(tx, context, looseningKind, actor, draft));
}

/** Job: executes proposals of a sole entitled operator after 24 hours. */
export const executeDueLoosenings = (context: Context): Promise<number> => executeDue(context, looseningKind);

/** Open proposals for a member, oldest last. */
export async function listOpenLoosenings(db: Db, memberId: bigint): Promise<Loosening[]> {
  const filter = { state: 'open', memberId, after: undefined, limit: 10 } as const;
  return showProposals(db, looseningKind, await listProposalRows<Payload>(db, looseningKind.name, filter));
}

async function refuseUnlessNeeded(db: Db, { memberId, what }: NewLoosening): Promise<void> {
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

/** Whether the member's restriction is the one that was proposed to be lifted; the caller has locked the member. */
async function isSameRestriction(tx: Tx, { memberId, payload, proposedAt }: Proposal<Payload>): Promise<boolean> {
  const restriction = await findRestriction(tx, memberId as bigint, payload.what);
  if (restriction === undefined || restriction === 'closed') return false;
  return restriction.since === null || restriction.since <= proposedAt;
}

type Restriction = { readonly since: Date | null };

/** The restriction that this would lift, `closed` for a closed account; undefined when there is none. */
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
    case 'turn_off_two_factor':
      return (await hasSecondFactor(db, memberId)) ? { since: null } : undefined;
  }
}

type Lift = Executor & {
  readonly memberId: bigint;
  readonly why: string;
  readonly loosening: bigint;
  readonly now: Date;
};

const lifts: Record<LooseningKind, (tx: Tx, context: Context, lift: Lift) => Promise<boolean>> = {
  unfreeze: (tx, _, lift) => unfreezeMember(tx, lift),
  lift_withdrawal_stop: (tx, _, lift) => releaseWithdrawals(tx, lift),
  verify: (tx, _, lift) => setVerified(tx, { ...lift, verified: true }),
  turn_off_two_factor: turnOffTwoFactor,
};
