import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { chooseGateway } from './choose-gateway.ts';
import { createDeposit } from './create-deposit.ts';
import { getDeposit } from './get-deposit.ts';
import { listDeposits } from './list-deposits.ts';
import { listMovements } from './list-movements.ts';
import { receiveWebhook } from './receive-webhook.ts';

export function mountFunds(http: Http, context: Context): void {
  const gateway = chooseGateway(context);
  mount(http, endpoints.funds, {
    createDeposit: ({ caller, body, once }) => createDeposit(context, caller.memberId, body, once, gateway),
    listDeposits: ({ caller, query }) => listDeposits(context, caller.memberId, query),
    getDeposit: ({ caller, params }) => getDeposit(context, caller.memberId, BigInt(params.id)),
    receiveWebhook: async ({ rawBody, headers }) => {
      await receiveWebhook(context, gateway, rawBody, headers);
      return null;
    },
    listMovements: ({ caller, query }) => listMovements(context, caller.memberId, query),
  });
}
