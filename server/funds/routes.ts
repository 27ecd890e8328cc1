import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { asFile, mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { Refused } from '#server/refused.ts';
import { chooseGateway } from './choose-gateway.ts';
import { createDeposit } from './create-deposit.ts';
import { getDeposit } from './get-deposit.ts';
import { getStatement } from './get-statement.ts';
import { getWallet } from './get-wallet.ts';
import { listDeposits } from './list-deposits.ts';
import { listMovements } from './list-movements.ts';
import { receiveWebhook } from './receive-webhook.ts';
import { writeDeposits } from './write-deposits.ts';
import { writeStatement } from './write-statement.ts';

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
