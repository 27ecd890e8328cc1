/**
 * Money in and out: deposits through a payment gateway, withdrawals, and the member's statement (product.md sections 4
 * and 5). The built-in gateway is the sandbox, which moves no real money.
 */
export { admitWithdrawal } from './admit-withdrawal.ts';
export { countTwoPerson } from './approvals.ts';
export { cancelWithdrawal } from './cancel-withdrawal.ts';
export { checkFunds } from './check-funds.ts';
export { reportGateway } from './choose-gateway.ts';
export { closeMemberFunds } from './close-member.ts';
export { createDeposit } from './create-deposit.ts';
export { approveWithdrawal } from './desk/approve-withdrawal.ts';
export { clearPayoutAlarm, getPayoutSwitch, raisePayoutAlarm } from './desk/payout-switch.ts';
export { rejectWithdrawal } from './desk/reject-withdrawal.ts';
export { mountPayoutDesk } from './desk-routes.ts';
export { exportFunds } from './export-sql.ts';
export { findAddress } from './find-address.ts';
export {
  findDepositOwner,
  findWithdrawalOwner,
  listAddressOwners,
  listStoppedWithdrawals,
  listTransactionOwners,
} from './find-owner-sql.ts';
export { freezeWithdrawals } from './freeze-withdrawals.ts';
export { getDeposit } from './get-deposit.ts';
export { getWithdrawal } from './get-withdrawal.ts';
export { holdWithdrawal } from './hold-withdrawal.ts';
export { listDeposits } from './list-deposits.ts';
export { listMovements } from './list-movements.ts';
export { listWithdrawals } from './list-withdrawals.ts';
export { followPayouts } from './payout/follow-payouts.ts';
export { payWithdrawals } from './payout/pay-withdrawals.ts';
export { type QueueSum, sumReviewedDeposits, sumWaitingWithdrawals } from './queue-sums-sql.ts';
export { reconcileDeposits } from './reconcile-deposits.ts';
export { mountFunds } from './routes.ts';
export { payInSandbox } from './sandbox/pay-in-sandbox.ts';
export { mountPayPage } from './sandbox/pay-page-routes.ts';
export { sendDueDeliveries } from './sandbox/send-due-deliveries.ts';
export { saveAddress } from './save-address.ts';
export { sendOtp } from './send-otp.ts';
export { mountWithdrawals } from './withdrawal-routes.ts';
