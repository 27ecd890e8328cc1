import { closeAfterAll } from '#test/database/close-after-all.ts';
import { btcpayEnv, startBtcpay } from '#test/fake-servers/btcpay.ts';
import { followDeposit } from '../deposits/follow-deposit.ts';
import type { DepositRow } from '../deposits/sql.ts';
import { openOfficeWorld } from '../review/review-world.test-setup.ts';
import { findCoins } from './move-coins.ts';

/** A world whose Bitcoin is at a BTCPay Server, both by one clock. */
export async function openCoinsWorld() {
  const node = closeAfterAll(await startBtcpay());
  const world = closeAfterAll(await openOfficeWorld(btcpayEnv(node)));
  node.now = () => world.clock.now().getTime();
  return {
    node,
    world,
    /** A deposit whose payment the gateway has seen and confirmed. */
    confirmed: async (dollars: number, memberId?: bigint): Promise<DepositRow> => {
      const deposit = await world.addDeposit(dollars, memberId);
      node.pay(deposit.invoice_id as string, dollars);
      node.confirm(deposit.invoice_id as string);
      return deposit;
    },
    look: (deposit: DepositRow) => followDeposit(world.context, world.gateway, deposit.id),
    coins: async () => {
      const holding = await findCoins(world.context.db, 'btcpay');
      return holding && { ...holding, units: Number(holding.units), booked: Number(holding.bookedMicros) / 1e6 };
    },
  };
}
