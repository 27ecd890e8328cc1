import { writeMinute } from '#contract/day-text.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { consoleEmailChanges, type EmailChange, type OpenEmailRequest } from '#contract/operator/email-changes.ts';
import { emailChangeRules } from '#contract/rules.ts';
import { english } from '#contract/texts.ts';
import {
  decide,
  doBothCount,
  executeDue,
  type ListedKind,
  listProposalRows,
  type OperatorActor,
  propose,
  showProposal,
} from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { afterCommit } from '#server/db/tx.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { emailApprovedEmail, emailNotChangedEmail, maskEmail } from '../core/emails.ts';
import { replaceAddress } from '../members/change-email.ts';
import { type Contact, listContacts, lockAnyMember, lockMember, nameMember } from '../members/members.ts';
import { isOwnMember, operators } from '../operators/operators.ts';
import { evictCallers } from '../sign-in/find-caller.ts';
import { notifySecurity } from '../sign-in/notify-security.ts';
import {
  type EmailChangePayload,
  emailChangeFrame,
  findEmailRequest,
  listEmailRequests,
  listRequestedEmails,
  updateEnded,
} from './request-email-change.ts';

type Payload = EmailChangePayload;
type Shown = Pick<EmailChange, 'member' | 'email'>;

const { access: roles } = consoleEmailChanges.approveEmailChange;

/**
 * An email change for a member who lost the old mailbox (docs/product.md, section 8). The operator who checked the
 * identity proposes it, a second approves it, and it is executed seven days later unless the member, an operator or the
 * stop link in an email ends it, or one of the two approvals no longer counts. Then all sign-ins end and withdrawals
 * wait another 24 hours, as after every security change. The member is notified of the approval, and if it lapses; the
 * request then stays open, to be proposed again.
 *
 * Approving also refuses `own_proposal` to an operator who is the member or has the new address.
 */
export const emailChangeKind: ListedKind<Payload, Shown> = {
  ...emailChangeFrame,
  withdrawnBy: 'anybody',
  roles,
  operators,
  lock: async (tx, { memberId }) => {
    await lockAnyMember(tx, memberId as bigint);
  },
  refuseApprover: (tx, { memberId }, operatorId) => refuseOneself(tx, memberId as bigint, operatorId),
  waitMs: () => emailChangeRules.waitDays * 86_400_000,
  notify: async (tx, context, event, { memberId, dueAt }) => {
    // A proposal means nothing to the member until it is approved.
    if (event !== 'proposed' && dueAt !== null) await notifyApproval(tx, context, event, memberId as bigint, dueAt);
  },
  execute: async (tx, context, proposal, { address }) => {
    const { memberId, payload } = proposal;
    // Either operator may have been disabled or lost the role in the seven days.
    if (!(await doBothCount(tx, emailChangeKind, proposal))) return undefined;
    const member = await lockMember(tx, memberId as bigint);
    const request = await findEmailRequest(tx, memberId as bigint);
    if (member === undefined || member.frozenAt !== null || request?.id.toString() !== payload.requestId) {
      return undefined;
    }
    const { id, email } = request;
    const ended = await replaceAddress(context, tx, member, { email, keepSession: null, address });
    await updateEnded(tx, id, 'changed', context.now());
    afterCommit(tx, () => evictCallers(context, ended));
    return { resultId: member.id, logged: { memberId, request: id } };
  },
  show: async (db, proposals) => {
    const contacts = await listContacts(db, [...new Set(proposals.map(({ memberId }) => memberId as bigint))]);
    const ids = proposals.map(({ payload }) => BigInt(payload.requestId));
    const emails = new Map((await listRequestedEmails(db, ids)).map((row) => [row.id.toString(), row.email]));
    return proposals.map(({ memberId, payload }) => ({
      member: nameMember(contacts.get(memberId as bigint) as Contact),
      email: emails.get(payload.requestId) ?? null,
    }));
  },
};

/** Tells both addresses that the change was approved, or that it does not take place and the request is open again. */
async function notifyApproval(
  tx: Tx,
  context: Context,
  event: 'approved' | 'withdrawn',
  memberId: bigint,
  dueAt: Date,
): Promise<void> {
  const request = await findEmailRequest(tx, memberId);
  if (request === undefined) return;
  const email = maskEmail(request.email);
  const when = writeMinute(dueAt);
  const notice =
    event === 'approved'
      ? {
          kind: 'email_change_approved',
          message: english.t`The change of your email address was approved. It takes effect on ${when}.`,
          mail: emailApprovedEmail(email, when),
        }
      : {
          kind: 'email_change_postponed',
          message: english.t`Your email address was not changed: the change has to be approved again.`,
          mail: emailNotChangedEmail(email),
        };
  await notifySecurity(context, tx, { memberId, ...notice, alsoTo: request.email });
}

/** Refuses an operator who is this member, or would get the account. */
async function refuseOneself(tx: Tx, memberId: bigint, operatorId: bigint): Promise<void> {
  if (await isOwnMember(tx, memberId, operatorId)) throw new Refused('own_proposal');
}

/**
 * Proposes a member's request after the identity was checked. Refuses `not_found` without a request,
 * `proposal_waiting`, `own_proposal` to an operator who is the member, and what every decision does.
 */
export function proposeEmailChange(
  context: Context,
  actor: OperatorActor,
  { member_id, reason, otp }: BodyOf<typeof consoleEmailChanges.proposeEmailChange>,
): Promise<EmailChange> {
  const memberId = BigInt(member_id);
  return decide(context, actor, {
    operators,
    roles,
    otp,
    precheck: (db) => getRequest(db, memberId),
    lock: async (tx) => {
      await lockAnyMember(tx, memberId);
      return getRequest(tx, memberId);
    },
    execute: async (tx, request) => {
      await refuseOneself(tx, memberId, actor.operatorId);
      const payload = { requestId: request.id.toString() };
      return showProposal(
        tx,
        emailChangeKind,
        await propose(tx, context, emailChangeKind, actor, { memberId, payload, reason }),
      );
    },
  });
}

/** A member's open request without an open proposal. Refuses `not_found`, `proposal_waiting`. */
async function getRequest(db: Db, memberId: bigint) {
  const request = orRefuse(await findEmailRequest(db, memberId), 'not_found');
  if ((await findOpenProposal(db, memberId)) !== undefined) throw new Refused('proposal_waiting');
  return request;
}

const findOpenProposal = async (db: Db, memberId: bigint) =>
  (await listProposalRows<Payload>(db, 'email_change', { state: 'open', memberId, after: undefined, limit: 1 }))[0];

/** When a member's request is executed; null while it is not approved. */
export const findEmailChangeDue = async (db: Db, memberId: bigint): Promise<Date | null> =>
  (await findOpenProposal(db, memberId))?.dueAt ?? null;

/** Job: executes changes that were approved seven days ago. */
export const executeDueEmailChanges = (context: Context): Promise<number> => executeDue(context, emailChangeKind);

/** Open requests, oldest first, and whether each has an open proposal. */
export async function listOpenRequests({ db }: Pick<Context, 'db'>): Promise<OpenEmailRequest[]> {
  const requests = await listEmailRequests(db);
  const contacts = await listContacts(
    db,
    requests.map(({ memberId }) => memberId),
  );
  const open = await listProposalRows<Payload>(db, 'email_change', { state: 'open', after: undefined, limit: 500 });
  return requests.map(({ id, memberId, email, requestedAt }) => ({
    member: nameMember(contacts.get(memberId) as Contact),
    email,
    requested_at: requestedAt.toISOString(),
    proposed: open.some(({ payload }) => payload.requestId === id.toString()),
  }));
}

/** Requests without a proposal. */
export const countEmailRequests = async (db: Db): Promise<number> =>
  (await listOpenRequests({ db })).filter(({ proposed }) => !proposed).length;
