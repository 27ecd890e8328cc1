import type { OperatorRole } from '#contract/endpoint.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import type { Actor } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Operators } from './decide.ts';
import type { Proposal, ProposalKindName } from './proposal-sql.ts';

/** Who carries a proposal out: the operator with whose word it is whole, or the system once its time has come. */
export type Executor = { readonly actor: Actor; readonly address?: string | undefined };

/** What a proposal became: the id of the transfer, fee plan or operator, and what the audit entry of the approval adds. */
export type Executed = { readonly resultId: bigint; readonly logged?: object };

/**
 * One kind of thing that takes two operators, as its domain says it; the domain hands it to the operations here when its
 * calls are mounted. Everything else is the same for all: who may decide, what counts, how it ends.
 */
export type ProposalKind<Payload extends object> = {
  readonly name: ProposalKindName;
  /** `treasury_move` of `treasury_move:17` in the audit log. */
  readonly subject: string;
  /** Its actions there: `adjustment.approve`. */
  readonly action: (verb: 'propose' | 'approve' | 'reject' | 'withdraw') => string;
  /** What every entry about it says, beside the state. */
  readonly logged?: (proposal: Proposal<Payload>) => object;
  /** Who may decide, and propose where `proposers` is left out. */
  readonly roles: readonly OperatorRole[];
  readonly proposers?: readonly OperatorRole[];
  readonly operators: Operators;
  /** Refusals to who decides about one that is not there, that does not wait for approval, or that has ended. */
  readonly refusals: { readonly missing: RefusalCode; readonly decided: RefusalCode; readonly ended: RefusalCode };
  /** Taken before the proposal by everybody who decides: what decisions wait for, each other or what it is about. */
  readonly lock?: (tx: Tx, proposal: Proposal<Payload>) => Promise<void>;
  /** Refuses an operator whom it is about. Every kind refuses who proposed it. */
  readonly refuseApprover?: (tx: Tx, proposal: Proposal<Payload>, operatorId: bigint) => Promise<void>;
  /** From the approval until it is carried out; at once where this is left out. */
  readonly waitMs?: (proposal: Proposal<Payload>) => number;
  /** Who may withdraw it while it waits for approval. Once it only waits for its time, anybody of its roles may. */
  readonly withdrawnBy: 'proposer' | 'anybody';
  /** In the transaction that ends it. Undefined when it cannot be done any more: it is over then. */
  readonly execute: (
    tx: Tx,
    context: Context,
    proposal: Proposal<Payload>,
    executor: Executor,
  ) => Promise<Executed | undefined>;
  /** Tells whoever should know, in the same transaction; `by` is the operator who did it, null the system. */
  readonly tell?: (
    tx: Tx,
    context: Context,
    event: 'proposed' | 'approved' | 'withdrawn',
    proposal: Proposal<Payload>,
    by: bigint | null,
  ) => Promise<void>;
};

/** A kind whose proposals the console lists and decides about by the same calls (`proposalCalls`). */
export type ListedKind<Payload extends object, Shown extends object> = ProposalKind<Payload> & {
  /** What each of them shows beside what all do, in the order they are given. */
  readonly show: (db: Db, proposals: readonly Proposal<Payload>[]) => Promise<readonly Shown[]>;
};

/** Who may propose one of a kind, and whose proposals therefore count. */
export const proposersOf = ({ roles, proposers = roles }: Pick<ProposalKind<object>, 'roles' | 'proposers'>) =>
  proposers;

/** What most kinds say alike; `name` is what their actions in the audit log begin with. */
export const plainKind = <Name extends Exclude<ProposalKindName, 'operator'>>(name: Name) =>
  ({
    name,
    action: (verb: string) => `${name}.${verb}`,
    refusals: { missing: 'not_found', decided: 'proposal_decided', ended: 'proposal_decided' },
    withdrawnBy: 'proposer',
  }) as const;
