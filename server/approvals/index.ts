/**
 * Two-person approvals (docs/operators-guide.md, "Approvals that count"): one operator proposes, another decides, and
 * both must count. The domains that execute proposals define their kinds; withdrawals share `decide`.
 */

export { type Approval, judge, type OperatorAuthorities, type OperatorAuthority } from './core/approvals.ts';
export { actingAs, decide, type OperatorActor, type Operators } from './decide.ts';
export {
  approveProposal,
  doBothCount,
  doesProposerCount,
  rejectProposal,
  withdrawProposal,
} from './decide-proposal.ts';
export { endProposalsAbout, executeDue, withdrawAllOf } from './execute-proposal.ts';
export { type Executor, type ListedKind, type ProposalKind, plainKind } from './kind.ts';
export { actorOf, type OperatorCall, proposalCalls, showProposal, showProposals } from './proposal-calls.ts';
export {
  countProposals,
  findProposalId,
  findProposalMember,
  listPostedSince,
  listProposalRows,
  listReversals,
  lockProposal,
  type Proposal,
} from './proposal-sql.ts';
export { propose } from './propose.ts';
