import type { OperatorRole } from '#contract/endpoint.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import type { Actor } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Operators } from './decide.ts';
import type { Proposal, ProposalKindName } from './proposal-sql.ts';

/** Who executes a proposal: the operator whose approval completes it, or the system when it is due. */
export type Executor = { readonly actor: Actor; readonly address?: string | undefined };

/** The result of a proposal: the id of the transfer, fee plan or operator, and what the approval's audit entry adds. */
export type Executed = { readonly resultId: bigint; readonly logged?: object };

/**
 * One kind of two-person proposal, defined by its domain and passed to the operations here when its calls are mounted.
 * Who may decide, what counts and how it ends is the same for all kinds.
 */
export type ProposalKind<Payload extends object> = {
  readonly name: ProposalKindName;
  /** `treasury_move` of `treasury_move:17` in the audit log. */
  readonly subject: string;
  /** Its audit actions: `adjustment.approve`. */
  readonly action: (verb: 'propose' | 'approve' | 'reject' | 'withdraw') => string;
  /** Fields that every audit entry about it adds to the state. */
  readonly logged?: (proposal: Proposal<Payload>) => object;
  /** Who may decide, and by default propose. */
  readonly roles: readonly OperatorRole[];
  /** Who may propose, where that is more than `roles`. */
  readonly proposers?: readonly OperatorRole[];
  readonly operators: Operators;
  /** Refusals of a decision about one that does not exist, is not pending approval, or has ended. */
  readonly refusals: { readonly missing: RefusalCode; readonly decided: RefusalCode; readonly ended: RefusalCode };
  /** A lock that every decision takes before the proposal's own, for example on its member. */
  readonly lock?: (tx: Tx, proposal: Proposal<Payload>) => Promise<void>;
  /** Refuses an operator whom it concerns. The proposer is refused for every kind. */
  readonly refuseApprover?: (tx: Tx, proposal: Proposal<Payload>, operatorId: bigint) => Promise<void>;
  /** Delay between approval and execution; absent: none. */
  readonly waitMs?: (proposal: Proposal<Payload>) => number;
  /** Who may withdraw it while it is pending approval. Once approved, any operator with one of its roles may. */
  readonly withdrawnBy: 'proposer' | 'anybody';
  /**
   * Runs in the transaction that ends the proposal. Undefined if it can no longer be executed: it is withdrawn then.
   */
  readonly execute: (
    tx: Tx,
    context: Context,
    proposal: Proposal<Payload>,
    executor: Executor,
  ) => Promise<Executed | undefined>;
  /** Queues notifications in the same transaction; `by` is the operator who acted, null the system. */
  readonly notify?: (
    tx: Tx,
    context: Context,
    event: 'proposed' | 'approved' | 'withdrawn',
    proposal: Proposal<Payload>,
    by: bigint | null,
  ) => Promise<void>;
};

/** A kind whose proposals the console lists and decides through `proposalCalls`. */
export type ListedKind<Payload extends object, Shown extends object> = ProposalKind<Payload> & {
  /** The fields of this kind alone, in the order of the proposals. */
  readonly show: (db: Db, proposals: readonly Proposal<Payload>[]) => Promise<readonly Shown[]>;
};

/** Roles that may propose this kind, and whose proposals therefore count. */
export const proposersOf = ({ roles, proposers = roles }: Pick<ProposalKind<object>, 'roles' | 'proposers'>) =>
  proposers;

/** Defaults of most kinds; `name` is the prefix of their audit actions. */
export const plainKind = <Name extends Exclude<ProposalKindName, 'operator'>>(name: Name) =>
  ({
    name,
    action: (verb: string) => `${name}.${verb}`,
    refusals: { missing: 'not_found', decided: 'proposal_decided', ended: 'proposal_decided' },
    withdrawnBy: 'proposer',
  }) as const;
