import type { Logger } from 'pino';
import type { z } from 'zod';
import { askServer, callServer, findAtServer, type GatewayCall, type GatewayServer } from '../ask-server.ts';

/** A store at a BTCPay Server and what it takes to ask it. */
export type Btcpay = {
  readonly url: string;
  readonly storeId: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly log: Logger;
};

/** Its Greenfield API. */
export const serverOf = ({ url, apiKey, timeoutMs, log }: Btcpay): GatewayServer => ({
  name: 'BTCPay Server',
  base: `${url}/api/v1`,
  headers: { authorization: `token ${apiKey}` },
  timeoutMs,
  log,
});

export const callBtcpay = <Shape extends z.ZodType>(btcpay: Btcpay, call: GatewayCall, shape: Shape) =>
  callServer(serverOf(btcpay), call, shape);

export const askBtcpay = <Shape extends z.ZodType>(btcpay: Btcpay, call: GatewayCall, shape: Shape) =>
  askServer(serverOf(btcpay), call, shape);

export const findAtBtcpay = <Shape extends z.ZodType>(btcpay: Btcpay, call: GatewayCall, shape: Shape) =>
  findAtServer(serverOf(btcpay), call, shape);
