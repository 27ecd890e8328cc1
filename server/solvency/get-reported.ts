import type { DataOf } from '#contract/endpoint.ts';
import { toDollars } from '#contract/money.ts';
import type { solvencySeal } from '#contract/solvency/proof.ts';
import type { Context } from '#server/context.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type BalanceSheet, getBalanceSheet } from '#server/income/index.ts';
import { countedAssets, type Holding, holdingOf, reportedTotal } from './core/counted-assets.ts';
import { findLastReport } from './report-sql.ts';

export type Cover = {
  readonly sheet: BalanceSheet;
  readonly gateway: Holding;
  readonly venue: Holding;
  /** The lower of booked and reported. */
  readonly counted: bigint;
};

/** What is owed and what is held, by the books and by those who hold it, as of one moment. */
export async function readCover({ db, config, now }: Context): Promise<Cover> {
  return inSnapshot(db, async (tx) => {
    const sheet = await getBalanceSheet(tx);
    const { gateway: booked, venue: bookedAtVenue } = sheet.assets;
    const reports = { gateway: await findLastReport(tx, 'gateway'), venue: await findLastReport(tx, 'venue') };
    const gateway = holdingOf(booked, isGatewayReal(config), reports.gateway, now());
    const venue = holdingOf(bookedAtVenue, isVenueReal(config), reports.venue, now());
    return { sheet, gateway, venue, counted: countedAssets([gateway, venue]) };
  });
}

/** Paper mode and the sandbox hold nothing that anybody could report. */
export const isGatewayReal = (config: Context['config']): boolean =>
  config.mode !== 'paper' && config.payments === 'btcpay';
export const isVenueReal = (config: Context['config']): boolean => config.mode !== 'paper' && config.venue === 'ccxt';

export async function getReported(context: Context): Promise<DataOf<typeof solvencySeal.getReported>> {
  const { gateway, venue, counted } = await readCover(context);
  const total = reportedTotal([gateway, venue]);
  return {
    simulated: context.config.mode === 'paper',
    gateway: showHolding(gateway),
    venue: showHolding(venue),
    total: total === null ? null : toDollars(total),
    counted: toDollars(counted),
  };
}

const showHolding = ({ state, booked, reported, at }: Holding) => ({
  state,
  booked: toDollars(booked),
  reported: reported === null ? null : toDollars(reported),
  at: at?.toISOString() ?? null,
});
