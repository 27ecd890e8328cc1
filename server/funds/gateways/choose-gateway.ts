import type { Context } from '#server/context.ts';
import { btcpayGateway } from './btcpay/gateway.ts';
import type { Gateway } from './gateway.ts';
import { sandboxGateway } from './sandbox/gateway.ts';

/** The gateway of this installation (`PAYMENTS`). */
export function chooseGateway(context: Context): Gateway {
  switch (context.config.payments) {
    case 'sandbox':
      return sandboxGateway(context);
    case 'btcpay':
      return btcpayGateway(context);
  }
}

/** What the gateway says it holds for us (`Gateway.reportBalance`). */
export const reportGateway = (context: Context): Promise<bigint | undefined> => chooseGateway(context).reportBalance();
