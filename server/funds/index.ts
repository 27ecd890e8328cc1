/**
 * Money in: deposits through a payment gateway, and the member's statement (product.md section 4). The built-in
 * gateway is the sandbox, which moves no real money.
 */
export { chooseGateway } from './choose-gateway.ts';
export { createDeposit, type DepositInput } from './create-deposit.ts';
export type { Gateway, Invoice, InvoiceOrder } from './gateway.ts';
export { getDeposit } from './get-deposit.ts';
export { type Reconciliation, reconcileDeposits } from './reconcile-deposits.ts';
export { mountFunds } from './routes.ts';
export { type Deliver, deliverOverHttp } from './sandbox/deliver-events.ts';
export { payInSandbox, type SandboxResult, type SandboxTarget } from './sandbox/pay-in-sandbox.ts';
export { mountPayPage } from './sandbox/pay-page-routes.ts';
export { type SandboxRun, sendDueDeliveries } from './sandbox/send-due-deliveries.ts';
