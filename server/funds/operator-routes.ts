import type { DeskDeposit, DeskWithdrawal } from '#contract/funds/review.ts';
import { endpoints } from '#contract/index.ts';
import { deciderOf, proposalCalls } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount, type OperatorCaller } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { adjustmentKind, proposeAdjustment } from './adjustments/adjustment.ts';
import { chooseGateway } from './gateways/choose-gateway.ts';
import { approveWithdrawal } from './review/approve-withdrawal.ts';
import { type DepositVerdict, decideDeposit } from './review/decide-deposit.ts';
import { completeWithdrawal, failWithdrawal, rejectWithdrawal } from './review/end-withdrawal.ts';
import { getDeskDeposit, listDeskDeposits, showDeskDeposits } from './review/list-deposits.ts';
import { getDeskWithdrawal, listDeskWithdrawals } from './review/list-withdrawals.ts';
import { returnWithdrawal, sendWithdrawal, takeWithdrawal } from './review/pay-by-hand.ts';
import { getPayoutSwitch, setPayoutSwitch } from './review/payout-switch.ts';
import { resolveWithdrawal } from './review/resolve-withdrawal.ts';
import { setMemberVerified } from './review/set-member-verified.ts';
import { setWithdrawalsFrozen } from './review/set-withdrawals-frozen.ts';
import { showDeskWithdrawals } from './review/show-withdrawals.ts';
import type { WithdrawalRow } from './withdrawals/withdrawal-sql.ts';

/** What every call of the desk that decides about one thing is given. */
type DeskCall<Body> = {
  readonly caller: OperatorCaller;
  readonly address: string;
  readonly params: { readonly id: string };
  readonly body: Body;
};

export function mountPayoutDesk(http: Http, context: Context): void {
  const gateway = chooseGateway(context);
  const show = async (decided: Promise<WithdrawalRow>): Promise<DeskWithdrawal> => {
    const [shown] = await showDeskWithdrawals(context.db, gateway, [await decided]);
    return shown as DeskWithdrawal;
  };
  const about = <Body extends object>({ params, body }: DeskCall<Body>) => ({
    ...body,
    withdrawalId: BigInt(params.id),
  });
  const decide = async (
    call: DeskCall<Omit<DepositVerdict, 'decision'>>,
    decision: DepositVerdict['decision'],
  ): Promise<DeskDeposit> => {
    const decided = await decideDeposit(context, deciderOf(call), BigInt(call.params.id), { ...call.body, decision });
    const [shown] = await showDeskDeposits(context.db, [decided]);
    return shown as DeskDeposit;
  };

  mount(http, endpoints.payoutDesk, {
    listDeskWithdrawals: ({ query }) => listDeskWithdrawals(context, gateway, query),
    getDeskWithdrawal: ({ params }) => getDeskWithdrawal(context, gateway, BigInt(params.id)),
    approveWithdrawal: (call) => show(approveWithdrawal(context, deciderOf(call), about(call))),
    rejectWithdrawal: (call) => show(rejectWithdrawal(context, deciderOf(call), about(call))),
    takeWithdrawal: (call) => show(takeWithdrawal(context, deciderOf(call), about(call))),
    returnWithdrawal: (call) => show(returnWithdrawal(context, deciderOf(call), about(call))),
    sendWithdrawal: (call) => show(sendWithdrawal(context, deciderOf(call), about(call))),
    completeWithdrawal: (call) => show(completeWithdrawal(context, deciderOf(call), about(call))),
    failWithdrawal: (call) => show(failWithdrawal(context, deciderOf(call), about(call))),
    resolveWithdrawal: (call) => show(resolveWithdrawal(context, deciderOf(call), about(call), gateway)),
    getPayoutSwitch: () => getPayoutSwitch(context),
    setPayoutSwitch: async (call) => {
      await setPayoutSwitch(context, deciderOf(call), call.body);
      return { stopped: call.body.stopped };
    },
    setMemberVerified: async (call) => {
      await setMemberVerified(context, deciderOf(call), { ...call.body, memberId: BigInt(call.params.id) });
      return null;
    },
    setWithdrawalsFrozen: async (call) => {
      await setWithdrawalsFrozen(context, deciderOf(call), { ...call.body, memberId: BigInt(call.params.id) });
      return null;
    },
    listDeskDeposits: ({ query }) => listDeskDeposits(context, query),
    getDeskDeposit: ({ params }) => getDeskDeposit(context, BigInt(params.id)),
    creditDeposit: (call) => decide(call, 'credit'),
    refundDeposit: (call) => decide(call, 'refund'),
    rejectDeposit: (call) => decide(call, 'reject'),
  });
}

/** Corrections of wallets. */
export function mountAdjustments(http: Http, context: Context): void {
  const { list, approve, reject, withdraw } = proposalCalls(context, adjustmentKind);
  mount(http, endpoints.consoleAdjustments, {
    listAdjustments: list,
    proposeAdjustment: (call) => proposeAdjustment(context, deciderOf(call), call.body, call.once),
    approveAdjustment: approve,
    rejectAdjustment: reject,
    withdrawAdjustment: withdraw,
  });
}
