import type { Logger } from 'pino';
import type { z } from 'zod';
import { callServer, findAtServer, type GatewayCall, type GatewayServer, queryServer } from '../call-server.ts';

/** A store at a BTCPay Server, with its credentials. */
export type Btcpay = {
  readonly url: string;
  readonly storeId: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly log: Logger;
};

/** The Greenfield API. */
export const serverOf = ({ url, apiKey, timeoutMs, log }: Btcpay): GatewayServer => ({
  name: 'BTCPay Server',
  base: `${url}/api/v1`,
  headers: { authorization: `token ${apiKey}` },
  timeoutMs,
  log,
});

export const callBtcpay = <Shape extends z.ZodType>(btcpay: Btcpay, call: GatewayCall, shape: Shape) =>
  callServer(serverOf(btcpay), call, shape);

export const queryBtcpay = <Shape extends z.ZodType>(btcpay: Btcpay, call: GatewayCall, shape: Shape) =>
  queryServer(serverOf(btcpay), call, shape);

export const findAtBtcpay = <Shape extends z.ZodType>(btcpay: Btcpay, call: GatewayCall, shape: Shape) =>
  findAtServer(serverOf(btcpay), call, shape);
