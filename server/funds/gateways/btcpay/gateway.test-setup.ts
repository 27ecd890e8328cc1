import { pino } from 'pino';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { btcpayEnv, startBtcpay } from '#test/fake-servers/btcpay.ts';
import { testConfig } from '#test/worlds/builders.ts';
import type { InvoiceOrder, PayoutOrder } from '../gateway.ts';
import { btcpayGateway } from './gateway.ts';

/** The gateway with a fake server, and without a database, which it must not need; and the lines of its log. */
export async function openGateway() {
  const node = closeAfterAll(await startBtcpay());
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const context: Context = {
    db: new Proxy({}, { get: () => expectNothing('the database') }) as Db,
    config: testConfig(btcpayEnv(node)),
    now: () => new Date(),
    log,
  };
  // Only a call that hangs takes so long.
  return { node, gateway: btcpayGateway(context, 1000), logged };
}

function expectNothing(of: string): never {
  throw new Error(`${of} was asked`);
}

export const invoiceOrder: InvoiceOrder = {
  depositId: 7n,
  reference: 'DP-7M2QX4',
  amountMicros: 100_000_000n,
  lifetimeMinutes: 60,
  payWith: 'BTC',
  returnPath: '/payment/{status}?deposit=7',
};

export const payoutOrder: PayoutOrder = {
  reference: 'WD-7M2QX4',
  network: 'BTC',
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  amountMicros: 990_000_000n,
  units: '0.0198',
};
