/**
 * Money in: deposits through a payment gateway, and the member's statement (product.md section 4). The built-in
 * gateway is the sandbox, which moves no real money.
 */
export { createDeposit } from './create-deposit.ts';
export { reconcileDeposits } from './reconcile-deposits.ts';
export { mountFunds } from './routes.ts';
export { payInSandbox } from './sandbox/pay-in-sandbox.ts';
export { mountPayPage } from './sandbox/pay-page-routes.ts';
export { sendDueDeliveries } from './sandbox/send-due-deliveries.ts';
