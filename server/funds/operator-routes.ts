import { endpoints } from '#contract/index.ts';
import { removeVerification } from '#server/accounts/index.ts';
import { actorOf, type OperatorCall, proposalCalls } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { adjustmentKind, proposeAdjustment, reverseAdjustment } from './adjustments/adjustment.ts';
import { explainFinding, requestImport } from './gateway-statement/import-entries.ts';
import { getGatewayStatement, listGatewayFindings } from './gateway-statement/show-entries.ts';
import { chooseGateways } from './gateways/choose-gateway.ts';
import { looseningKind, proposeLoosening } from './loosening/loosening.ts';
import { approveWithdrawal } from './review/approve-withdrawal.ts';
import { type DepositReview, decideDeposit } from './review/decide-deposit.ts';
import {
  completeWithdrawal,
  failWithdrawal,
  rejectWithdrawal,
  resolveWithdrawal,
  returnWithdrawal,
  sendWithdrawal,
  takeWithdrawal,
} from './review/decide-withdrawal.ts';
import { getOperatorDeposit, listOperatorDeposits, showOperatorDeposit } from './review/list-deposits.ts';
import { getPayoutSwitch, setPayoutSwitch } from './review/payout-switch.ts';
import { getOperatorWithdrawal, listOperatorWithdrawals, showOperatorWithdrawal } from './review/show-withdrawals.ts';
import { setWithdrawalsFrozen } from './withdrawals/freeze-withdrawals.ts';
import { getNetworkFee } from './withdrawals/network-fee.ts';
import type { WithdrawalRow } from './withdrawals/withdrawal.ts';

export function mountOperatorPayouts(http: Http, context: Context): void {
  const gateways = chooseGateways(context);
  const show = async (decided: Promise<WithdrawalRow>) => showOperatorWithdrawal(context.db, gateways, await decided);
  const about = <Body extends object>({ params, body }: OperatorCall<Body>) => ({
    ...body,
    withdrawalId: params.id,
  });
  const decide = async (call: OperatorCall<Omit<DepositReview, 'decision'>>, decision: DepositReview['decision']) => {
    const decided = await decideDeposit(context, actorOf(call), call.params.id, { ...call.body, decision });
    return showOperatorDeposit(context.db, decided);
  };

  mount(http, endpoints.operatorPayouts, {
    listOperatorWithdrawals: ({ query }) => listOperatorWithdrawals(context, gateways, query),
    getOperatorWithdrawal: ({ params }) => getOperatorWithdrawal(context, gateways, params.id),
    getPayoutNetworkFee: ({ query }) => getNetworkFee(context, gateways, query.network),
    approveWithdrawal: (call) => show(approveWithdrawal(context, actorOf(call), about(call))),
    rejectWithdrawal: (call) => show(rejectWithdrawal(context, actorOf(call), about(call))),
    takeWithdrawal: (call) => show(takeWithdrawal(context, actorOf(call), about(call))),
    returnWithdrawal: (call) => show(returnWithdrawal(context, actorOf(call), about(call))),
    sendWithdrawal: (call) => show(sendWithdrawal(context, actorOf(call), about(call))),
    completeWithdrawal: (call) => show(completeWithdrawal(context, actorOf(call), about(call))),
    failWithdrawal: (call) => show(failWithdrawal(context, actorOf(call), about(call))),
    resolveWithdrawal: (call) => show(resolveWithdrawal(context, actorOf(call), about(call))),
    getPayoutSwitch: () => getPayoutSwitch(context),
    setPayoutSwitch: async (call) => {
      await setPayoutSwitch(context, actorOf(call), call.body);
      return { stopped: call.body.stopped };
    },
    setMemberVerified: (call) =>
      removeVerification(context, actorOf(call), { why: call.body.why, memberId: call.params.id }),
    setWithdrawalsFrozen: (call) =>
      setWithdrawalsFrozen(context, actorOf(call), { why: call.body.why, memberId: call.params.id }),
    listOperatorDeposits: ({ query }) => listOperatorDeposits(context, query),
    getOperatorDeposit: ({ params }) => getOperatorDeposit(context, params.id),
    creditDeposit: (call) => decide(call, 'credit'),
    refundDeposit: (call) => decide(call, 'refund'),
    rejectDeposit: (call) => decide(call, 'reject'),
  });
}

/** Gateways' statements, compared with what was booked. */
export function mountGatewayStatement(http: Http, context: Context): void {
  const gateways = chooseGateways(context);
  mount(http, endpoints.consoleGatewayStatement, {
    getGatewayStatement: () => getGatewayStatement(context, gateways),
    importGatewayStatement: (call) => requestImport(context, actorOf(call), gateways),
    listGatewayFindings: ({ query }) => listGatewayFindings(context, query),
    explainGatewayFinding: (call) => explainFinding(context, actorOf(call), { ...call.body, id: call.params.id }),
  });
}

/** Lifting members' restrictions. */
export function mountLoosenings(http: Http, context: Context): void {
  const { list, approve, reject, withdraw } = proposalCalls(context, looseningKind);
  mount(http, endpoints.consoleLoosenings, {
    listLoosenings: list,
    proposeLoosening: (call) => proposeLoosening(context, actorOf(call), call.body),
    approveLoosening: approve,
    rejectLoosening: reject,
    withdrawLoosening: withdraw,
  });
}

/** Wallet corrections. */
export function mountAdjustments(http: Http, context: Context): void {
  const { list, approve, reject, withdraw } = proposalCalls(context, adjustmentKind);
  mount(http, endpoints.consoleAdjustments, {
    listAdjustments: list,
    proposeAdjustment: (call) => proposeAdjustment(context, actorOf(call), call.body, call.once),
    reverseAdjustment: (call) =>
      reverseAdjustment(context, actorOf(call), { ...call.body, id: call.params.id }, call.once),
    approveAdjustment: approve,
    rejectAdjustment: reject,
    withdrawAdjustment: withdraw,
  });
}
