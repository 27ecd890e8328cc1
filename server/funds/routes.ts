import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { asFile, mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { orRefuse } from '#server/refused.ts';
import { createDeposit } from './deposits/create-deposit.ts';
import { receiveWebhook } from './deposits/follow-deposit.ts';
import { listDeposits, writeDeposits } from './deposits/list-deposits.ts';
import { getDeposit } from './deposits/show-deposit.ts';
import { chooseGateways } from './gateways/choose-gateway.ts';
import { getStatement } from './statement/get-statement.ts';
import { getWallet } from './statement/get-wallet.ts';
import { listMovements, writeStatement } from './statement/list-movements.ts';
import { cancelWithdrawal } from './withdrawals/cancel-withdrawal.ts';
import { reportAddressChange } from './withdrawals/freeze-withdrawals.ts';
import { getWithdrawalTerms, listWithdrawals, writeWithdrawals } from './withdrawals/list-withdrawals.ts';
import { getNetworkFee } from './withdrawals/network-fee.ts';
import { requestWithdrawal } from './withdrawals/request-withdrawal.ts';
import { updateAddress } from './withdrawals/save-address.ts';
import { sendOtp } from './withdrawals/send-otp.ts';
import { getWithdrawal } from './withdrawals/withdrawal.ts';

export function mountFunds(http: Http, context: Context): void {
  const gateways = chooseGateways(context);
  mount(http, endpoints.funds, {
    createDeposit: ({ caller, body, once }) => createDeposit(context, caller.memberId, body, once, gateways),
    listDeposits: async ({ caller: { memberId }, query }) =>
      query.format === 'csv' ? asFile(writeDeposits(context, memberId, query)) : listDeposits(context, memberId, query),
    getDeposit: ({ caller, params }) => getDeposit(context, caller.memberId, params.id),
    receiveWebhook: async ({ params, rawBody, headers }) => {
      const gateway = gateways.find(({ name }) => name === params.gateway);
      await receiveWebhook(context, orRefuse(gateway, 'not_found'), rawBody, headers);
    },
    getWallet: ({ caller }) => getWallet(context, caller.memberId),
    listMovements: async ({ caller: { memberId }, query }) =>
      query.format === 'csv'
        ? asFile(writeStatement(context, memberId, query))
        : listMovements(context, memberId, query),
    getStatement: ({ caller, query }) => getStatement(context, caller.memberId, query),
  });
}

export function mountWithdrawals(http: Http, context: Context): void {
  const gateways = chooseGateways(context);
  mount(http, endpoints.withdrawals, {
    sendOtp: ({ caller, query, address }) => sendOtp(context, caller.memberId, query, address),
    updateAddress: ({ caller, body, address }) => updateAddress(context, caller.memberId, body, address),
    reportAddressChange: ({ body, address }) => reportAddressChange(context, body.token, address),
    getWithdrawalTerms: ({ caller }) => getWithdrawalTerms(context, caller.memberId, gateways),
    getNetworkFee: ({ query }) => getNetworkFee(context, gateways, query.network),
    requestWithdrawal: ({ caller, body, once, address }) =>
      requestWithdrawal(context, caller.memberId, body, once, address),
    listWithdrawals: async ({ caller: { memberId }, query }) =>
      query.format === 'csv'
        ? asFile(writeWithdrawals(context, memberId, query))
        : listWithdrawals(context, memberId, query),
    getWithdrawal: ({ caller, params }) => getWithdrawal(context, caller.memberId, params.id),
    cancelWithdrawal: ({ caller, params, once, address }) =>
      cancelWithdrawal(context, caller.memberId, params.id, once, address),
  });
}
