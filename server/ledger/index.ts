/**
 * The ledger: every dollar in the product is a claim in here (product.md section 2, architecture.md "The ledger").
 * Amounts are bigint micros. All calls that move money take an open transaction, so that the money and what it is
 * for are committed together.
 */

export { houseAccount, memberAccount } from './account-sql.ts';
export { getBalances, getHouseBalance, getHouseBalances } from './balances.ts';
export {
  amountsOfKeys,
  balancesOfClass,
  paidUnderKeys,
  transfersUnderKeys,
  venueMoves,
} from './checked-transfers-sql.ts';
export type { AccountClass, AccountRef, HouseClass, MemberClass } from './core/account.ts';
export type { FlowReason, Reason } from './core/flow.ts';
export {
  type ExploredTransfer,
  findExploredTransfer,
  listTransferPage,
  type TransferQuery,
  type TransferSide,
} from './explore.ts';
export { exportLedger } from './export-sql.ts';
export { listSealPage, type ShownSeal } from './find-seals.ts';
export { type Finding, MOST_FINDINGS } from './finding.ts';
export { listFlows, listMonthFlows, sumFlows } from './flow-total.ts';
export { allFlows, houseBalances } from './flow-total-sql.ts';
export { holdEmptyAccounts } from './hold-empty-accounts.ts';
export {
  type IncomePeriods,
  type IncomeSums,
  type IncomeTransfer,
  listIncomes,
  sumIncomes,
  sumIncomesBetween,
} from './income-sums.ts';
export { listTransfersByKey } from './list-by-key.ts';
export { listTransfersOf, type ReferencedTransfer } from './list-by-reference.ts';
export { MerkleTree, sha256 } from './merkle.ts';
export { listMovedMembers, listWallets, type MovementsRead, type Wallets } from './moved-members-sql.ts';
export { openMemberAccounts } from './open-accounts.ts';
export {
  type PostedTransfer,
  post,
  postFrom,
  postingEach,
  postingSet,
  refuseOverdraft,
  type Transfer,
} from './post.ts';
export { type Inclusion, proveInclusion } from './prove-inclusion.ts';
export { reverse } from './reverse.ts';
export { type Seal, sealLedger } from './seal.ts';
export { findHorizon, findLastSeal } from './seal-sql.ts';
export { listStatement, type StatementLine, type StatementQuery, sumTransfers } from './statement.ts';
export { type StatementSum, type StatementTotals, sumStatement } from './statement-totals.ts';
export { balancesByMember, findMemberChunk, listOutsideMovements, memberBalances } from './totals-sql.ts';
export { ledgerParts, verifyLedger, verifyLedgerPart } from './verify.ts';
