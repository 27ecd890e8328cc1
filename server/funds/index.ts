/**
 * Money in and out: deposits through a payment gateway, withdrawals, and the member's statement (docs/product.md,
 * sections 4 and 5). The built-in gateway is the sandbox, which moves no real money.
 */

export { adjustmentKind, postCovered, proposeAdjustment, reverseAdjustment } from './adjustments/adjustment.ts';
export { checkFunds } from './check-funds.ts';
export { closeMemberFunds, forfeitRemainder } from './close-member.ts';
export { findCoins, listCoins, lockCoinMicros, removeSoldCoins } from './coins/move-coins.ts';
export { followCoins } from './coins/value-coins.ts';
export { canShowCapital, isMoveCovered } from './core/house-cover.ts';
export { createDeposit } from './deposits/create-deposit.ts';
export { listDeposits } from './deposits/list-deposits.ts';
export { reconcileDeposits } from './deposits/reconcile-deposits.ts';
export { getDeposit } from './deposits/show-deposit.ts';
export { hasDepositsOf } from './deposits/sql.ts';
export { exportFunds } from './export-sql.ts';
export {
  findDepositOwner,
  findWithdrawalOwner,
  listAddressOwners,
  listStoppedWithdrawals,
  listTransactionOwners,
} from './find-owner-sql.ts';
export { sumGatewayFindings } from './gateway-statement/entry-sql.ts';
export { importEntriesWhenDue } from './gateway-statement/import-entries.ts';
export { reportGateways } from './gateways/choose-gateway.ts';
export { payInSandbox } from './gateways/sandbox/pay-in-sandbox.ts';
export { mountPayPage } from './gateways/sandbox/pay-page-routes.ts';
export { sendDueDeliveries } from './gateways/sandbox/send-due-deliveries.ts';
export { executeDueLoosenings, insertLoosening, listOpenLoosenings } from './loosening/loosening.ts';
export { mountAdjustments, mountGatewayStatement, mountLoosenings, mountOperatorPayouts } from './operator-routes.ts';
export { followPayouts } from './payouts/follow-payouts.ts';
export { payWithdrawals } from './payouts/pay-withdrawals.ts';
export { answerSearches } from './payouts/search-payout.ts';
export { type QueueSum, sumReviewedDeposits, sumWaitingWithdrawals } from './queue-sums-sql.ts';
export { countTwoPerson } from './review/approvals.ts';
export { approveWithdrawal } from './review/approve-withdrawal.ts';
export { rejectWithdrawal } from './review/decide-withdrawal.ts';
export { clearPayoutAlarm, getPayoutStop, getPayoutSwitch, raisePayoutAlarm } from './review/payout-switch.ts';
export { mountFunds, mountWithdrawals } from './routes.ts';
export { listMovements } from './statement/list-movements.ts';
export { cancelWithdrawal } from './withdrawals/cancel-withdrawal.ts';
export { freezeWithdrawals } from './withdrawals/freeze-withdrawals.ts';
export { listWithdrawals } from './withdrawals/list-withdrawals.ts';
export { networkFeeKey } from './withdrawals/move-withdrawal.ts';
export { admitWithdrawal, holdWithdrawal } from './withdrawals/request-withdrawal.ts';
export { findAddress, saveAddress } from './withdrawals/save-address.ts';
export { sendOtp } from './withdrawals/send-otp.ts';
export { getWithdrawal } from './withdrawals/withdrawal.ts';
