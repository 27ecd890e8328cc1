import { BadConfig, type Config } from './config.ts';
import type { Context } from './context.ts';
import type { Db, Tx } from './db/connect.ts';
import { insertService, listServices, lockInstallation, type Service } from './db/installation.ts';
import { inTransaction } from './db/tx.ts';
import { hasDepositsOf } from './funds/index.ts';
import { hasRecordedMarket } from './market/index.ts';

/** Existing data of a database. */
export type Held = {
  /** Has deposits of the sandbox gateway. */
  readonly sandboxDeposits: boolean;
  /** Has deposits of BTCPay Server or NOWPayments, in coins of any network. */
  readonly coinDeposits: boolean;
  /** Its prices are simulated or replayed. */
  readonly recordedMarket: boolean;
};

/** The kind of money under these settings: real only if both coins and the exchange are real. */
export function moneyOf({ payments, bitcoinNetwork, market }: Config): Service['money'] {
  if (payments.includes('sandbox')) return 'simulated';
  return bitcoinNetwork === 'testnet' || market.exchange.sandbox ? 'test' : 'real';
}

const serviceOf = (config: Config): Service => ({ mode: config.mode, money: moneyOf(config) });

/**
 * Why a database served as `before` must not be served as `now`, with the setting; undefined if it may. Paper mode
 * never becomes live, and live never anything else; in between the data decides.
 */
export function findMixedMoney(now: Service, before: readonly Service[], held: Held): string | undefined {
  const was = (part: Partial<Service>) =>
    before.some(({ mode, money }) => (part.mode ?? mode) === mode && (part.money ?? money) === money);
  if (now.mode === 'live' && was({ mode: 'paper' })) return 'MODE: this database was served with MODE=paper';
  if (now.mode !== 'live' && was({ mode: 'live' })) return 'MODE: this database is of MODE=live';
  if (now.money !== 'real')
    return was({ money: 'real' }) && held.coinDeposits ? 'PAYMENTS: this database holds real deposits' : undefined;
  if (held.sandboxDeposits) return 'PAYMENTS: this database holds sandbox deposits';
  if (was({ money: 'test' }) && held.coinDeposits)
    return 'BITCOIN_NETWORK: this database holds deposits of test coins or of trading in a sandbox';
  if (held.recordedMarket) return 'MARKET_FEED: this database has a simulated or recorded market';
  return undefined;
}

/**
 * Refuses to serve a database where simulated and real money would meet.
 *
 * @throws BadConfig naming the setting
 */
export async function refuseMixedMoney({ db, config }: Context): Promise<void> {
  await refuse(db, serviceOf(config));
}

/** Checks again under a lock, and records how the database is served for later starts. */
export async function rememberService({ db, config, now }: Context): Promise<void> {
  const service = serviceOf(config);
  await inTransaction(db, async (tx) => {
    await lockInstallation(tx);
    await refuse(tx, service);
    await insertService(tx, service, now());
  });
}

async function refuse(db: Db | Tx, now: Service): Promise<void> {
  const before = await listServices(db);
  const mixed = findMixedMoney(now, before, {
    sandboxDeposits: await hasDepositsOf(db, 'sandbox'),
    coinDeposits: (await hasDepositsOf(db, 'btcpay')) || (await hasDepositsOf(db, 'nowpayments')),
    recordedMarket: await hasRecordedMarket(db),
  });
  if (mixed !== undefined)
    throw new BadConfig(`${mixed}. Use another database for MODE=${now.mode} with these settings.`);
}
