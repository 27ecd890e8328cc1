import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { asFile, mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { Refused } from '#server/refused.ts';
import { createDeposit } from './deposits/create-deposit.ts';
import { listDeposits } from './deposits/list-deposits.ts';
import { receiveWebhook } from './deposits/receive-webhook.ts';
import { getDeposit } from './deposits/show-deposit.ts';
import { writeDeposits } from './deposits/write-deposits.ts';
import { chooseGateway } from './gateways/choose-gateway.ts';
import { getStatement } from './statement/get-statement.ts';
import { getWallet } from './statement/get-wallet.ts';
import { listMovements } from './statement/list-movements.ts';
import { writeStatement } from './statement/write-statement.ts';

export function mountFunds(http: Http, context: Context): void {
  const gateway = chooseGateway(context);
  mount(http, endpoints.funds, {
    createDeposit: ({ caller, body, once }) => createDeposit(context, caller.memberId, body, once, gateway),
    listDeposits: async ({ caller, query }) => {
      if (query.format !== 'csv') return listDeposits(context, caller.memberId, query);
      const { name, text } = writeDeposits(context, caller.memberId, query);
      return asFile(name, text);
    },
    getDeposit: ({ caller, params }) => getDeposit(context, caller.memberId, BigInt(params.id)),
    receiveWebhook: async ({ params, rawBody, headers }) => {
      if (params.gateway !== gateway.name) throw new Refused('not_found');
      await receiveWebhook(context, gateway, rawBody, headers);
      return null;
    },
    getWallet: ({ caller }) => getWallet(context, caller.memberId),
    listMovements: async ({ caller, query }) => {
      if (query.format !== 'csv') return listMovements(context, caller.memberId, query);
      const { name, text } = writeStatement(context, caller.memberId, query);
      return asFile(name, text);
    },
    getStatement: ({ caller, query }) => getStatement(context, caller.memberId, query),
  });
}
