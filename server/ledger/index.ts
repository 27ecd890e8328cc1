/**
 * The ledger: every dollar in the product is a claim recorded here (docs/product.md, section 2; ARCHITECTURE.md, "The
 * money rules"). Amounts are bigint micros. Every call that moves money takes an open transaction, so the movement
 * commits together with its cause.
 */

export type { AccountRef, HouseClass, MemberClass } from './core/account.ts';
export { accountId } from './core/account.ts';
export type { FlowReason } from './core/flow.ts';
export {
  balancesOfClass,
  findMemberChunk,
  getBalances,
  getHouseBalance,
  getHouseBalances,
  getWalletBalances,
  houseAccount,
  lockAccounts,
  memberAccount,
  memberBalances,
  openMemberAccounts,
} from './posting/accounts.ts';
export {
  freeAccounts,
  lockedAccounts,
  post,
  postFrom,
  postingEach,
  postingSet,
  type Reversal,
  refuseOverdraft,
  reverse,
  type Transfer,
} from './posting/post.ts';
export { listSealPage, type ShownSeal } from './seals/find-seals.ts';
export { MerkleTree, sha256 } from './seals/merkle.ts';
export { proveInclusion } from './seals/prove-inclusion.ts';
export { sealLedger } from './seals/seal.ts';
export { findLastSeal, findWatermark, listSeals } from './seals/seal-sql.ts';
export { allFlows, houseBalances, listFlows, listMonthFlows, sumFlows } from './statement/daily-rollup.ts';
export {
  type ExploredTransfer,
  findExploredTransfer,
  listTransferPage,
  type TransferQuery,
  type TransferSide,
} from './statement/explore.ts';
export { type IncomeSums, listIncomes, sumIncomes, sumIncomesBetween } from './statement/income-sums.ts';
export { listMemberMovements, type MemberMovement } from './statement/member-movements-sql.ts';
export { listMovedMembers, listWallets, type MovementsRead, type Wallets } from './statement/moved-members-sql.ts';
export {
  exportLedger,
  listStatement,
  type StatementLine,
  type StatementQuery,
  sumTransfers,
} from './statement/statement.ts';
export { type StatementSum, type StatementTotals, sumStatement } from './statement/statement-totals.ts';
export {
  amountsOfKeys,
  listTransfersByKey,
  listTransfersOf,
  paidUnderKeys,
  type ReferencedTransfer,
  transfersUnderKeys,
  venueMoves,
  venueResultsOf,
} from './statement/transfers-by-key.ts';
export { type Discrepancy, MAX_DISCREPANCIES } from './verify/discrepancy.ts';
export { verifyLedger, verifyLedgerPart } from './verify/verify.ts';
