import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inRowTransaction } from '#server/db/tx.ts';
import { Faults } from '#server/faults.ts';
import { actingAs, type OperatorActor } from './decide.ts';
import type { Executed, Executor, ProposalKind } from './kind.ts';
import {
  type Decided,
  findDueProposal,
  listProposalsOf,
  lockProposal,
  lockProposalsAbout,
  type Proposal,
  updateProposal,
} from './proposal-sql.ts';

/** Executes a proposal in the transaction that ends it. The caller has locked it. */
export async function executeProposal<Payload extends object>(
  tx: Tx,
  context: Context,
  kind: ProposalKind<Payload>,
  proposal: Proposal<Payload>,
  executor: Executor,
  approval: Partial<Decided> = {},
): Promise<{ readonly proposal: Proposal<Payload>; readonly logged: object | undefined }> {
  const done: Executed | undefined = await kind.execute(tx, context, proposal, executor);
  if (done === undefined) {
    const after = await updateProposal(tx, kind.name, proposal, {
      ...approval,
      state: 'withdrawn',
      endedAt: context.now(),
    });
    await auditEnd(tx, kind, { before: proposal, after, verb: 'withdraw', executor });
    await kind.notify?.(tx, context, 'withdrawn', after, executor.actor.kind === 'operator' ? executor.actor.id : null);
    return { proposal: after, logged: undefined };
  }
  const { resultId, logged } = done;
  const posted = { ...approval, state: 'posted', resultId, endedAt: context.now() } as const;
  return { proposal: await updateProposal(tx, kind.name, proposal, posted), logged };
}

/**
 * Job: executes approved proposals that are due, each in its own transaction under the lock of its kind. So each is
 * executed once, however many workers find it, and not if it is withdrawn concurrently. One that fails delays no other.
 *
 * @returns how many were executed
 * @throws AggregateError of those that failed, after the others
 */
export async function executeDue<Payload extends object>(
  context: Context,
  kind: ProposalKind<Payload>,
): Promise<number> {
  let done = 0;
  const faults = new Faults();
  const failed: bigint[] = [];
  for (;;) {
    const found = await findDueProposal<Payload>(context.db, kind.name, context.now(), failed);
    if (found === undefined) break;
    const isDone = await faults.keep(() =>
      inRowTransaction(context.db, (tx) => executeFound(tx, context, kind, found)),
    );
    if (isDone) done += 1;
    else if (isDone === undefined) failed.push(found.id);
  }
  faults.throwAny(`Proposals that could not be executed (${failed.join(', ')})`);
  return done;
}

/** False if it was executed or withdrawn since it was found. */
async function executeFound<Payload extends object>(
  tx: Tx,
  context: Context,
  kind: ProposalKind<Payload>,
  found: Proposal<Payload>,
): Promise<boolean> {
  await kind.lock?.(tx, found);
  const due = await lockProposal<Payload>(tx, kind.name, found.id);
  if (due?.state !== 'approved') return false;
  await executeProposal(tx, context, kind, due, system);
  return true;
}

const system: Executor = { actor: { kind: 'system', id: null } };

/** Ends a proposal without executing it; a null actor is the system. The caller has locked it. */
export async function endProposal<Payload extends object>(
  tx: Tx,
  context: Context,
  kind: ProposalKind<Payload>,
  proposal: Proposal<Payload>,
  actor: OperatorActor | null,
  end: { readonly state: 'withdrawn' } | { readonly state: 'rejected'; readonly note: string },
): Promise<Proposal<Payload>> {
  const by = actor?.operatorId ?? null;
  const after = await updateProposal(tx, kind.name, proposal, { ...end, endedBy: by, endedAt: context.now() });
  const verb = end.state === 'rejected' ? 'reject' : 'withdraw';
  await auditEnd(tx, kind, { before: proposal, after, verb, executor: actor ? actingAs(actor) : system });
  if (end.state === 'withdrawn') await kind.notify?.(tx, context, 'withdrawn', after, by);
  return after;
}

/**
 * Withdraws every open proposal that is about an operator who is no longer trusted, or was proposed or approved by
 * them, except the one being executed.
 */
export async function withdrawAllOf<Payload extends object>(
  tx: Tx,
  context: Context,
  kind: ProposalKind<Payload>,
  operatorId: bigint,
  actor: OperatorActor | null,
  executedId?: bigint,
): Promise<void> {
  for (const proposal of await listProposalsOf<Payload>(tx, kind.name, operatorId)) {
    if (proposal.id !== executedId) await endProposal(tx, context, kind, proposal, actor, { state: 'withdrawn' });
  }
}

/**
 * Withdraws a member's open proposals that have become moot, so that an old approval never reverts what happened since.
 * The caller holds the lock on the member that every decision about this kind takes.
 *
 * @returns those that ended
 */
export async function endProposalsAbout<Payload extends object>(
  tx: Tx,
  kind: AuditedKind<Payload>,
  end: {
    readonly memberId: bigint;
    readonly isMoot: (payload: Payload) => boolean;
    /** Whose action made them moot, and the reason given for it. */
    readonly executor: Executor;
    readonly why?: string | undefined;
    readonly now: Date;
  },
): Promise<Proposal<Payload>[]> {
  const ended: Proposal<Payload>[] = [];
  for (const before of await lockProposalsAbout<Payload>(tx, kind.name, end.memberId)) {
    if (!end.isMoot(before.payload)) continue;
    const after = await updateProposal(tx, kind.name, before, { state: 'withdrawn', endedAt: end.now });
    await auditEnd(tx, kind, { before, after, verb: 'withdraw', executor: end.executor, why: end.why });
    ended.push(after);
  }
  return ended;
}

type AuditedKind<Payload extends object> = Pick<ProposalKind<Payload>, 'name' | 'subject' | 'action' | 'logged'>;

type End<Payload> = {
  readonly before: Proposal<Payload>;
  readonly after: Proposal<Payload>;
  readonly verb: 'reject' | 'withdraw';
  readonly executor: Executor;
  readonly why?: string | undefined;
};

const auditEnd = <Payload extends object>(
  tx: Tx,
  kind: AuditedKind<Payload>,
  { before, after, verb, executor, why }: End<Payload>,
): Promise<void> =>
  writeAudit(tx, {
    ...executor,
    action: kind.action(verb),
    subject: `${kind.subject}:${after.id}`,
    before: { state: before.state },
    after: { state: after.state, note: after.note ?? undefined, why, ...kind.logged?.(after) },
  });
