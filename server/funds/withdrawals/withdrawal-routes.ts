import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { asFile, mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { cancelWithdrawal } from './cancel-withdrawal.ts';
import { reportAddressChange } from './freeze-withdrawals.ts';
import { getWithdrawalTerms } from './get-withdrawal-terms.ts';
import { listWithdrawals } from './list-withdrawals.ts';
import { requestWithdrawal } from './request-withdrawal.ts';
import { sendOtp } from './send-otp.ts';
import { getWithdrawal } from './show-withdrawal.ts';
import { updateAddress } from './update-address.ts';
import { writeWithdrawals } from './write-withdrawals.ts';

export function mountWithdrawals(http: Http, context: Context): void {
  mount(http, endpoints.withdrawals, {
    sendOtp: ({ caller, query, address }) => sendOtp(context, caller.memberId, query, address),
    updateAddress: ({ caller, body, address }) => updateAddress(context, caller.memberId, body, address),
    reportAddressChange: async ({ body, address }) => {
      await reportAddressChange(context, body.token, address);
      return null;
    },
    getWithdrawalTerms: ({ caller }) => getWithdrawalTerms(context, caller.memberId),
    requestWithdrawal: ({ caller, body, once, address }) =>
      requestWithdrawal(context, caller.memberId, body, once, address),
    listWithdrawals: async ({ caller, query }) => {
      if (query.format !== 'csv') return listWithdrawals(context, caller.memberId, query);
      const { name, text } = writeWithdrawals(context, caller.memberId, query);
      return asFile(name, text);
    },
    getWithdrawal: ({ caller, params }) => getWithdrawal(context, caller.memberId, BigInt(params.id)),
    cancelWithdrawal: ({ caller, params, once, address }) =>
      cancelWithdrawal(context, caller.memberId, BigInt(params.id), once, address),
  });
}
