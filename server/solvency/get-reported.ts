import type { DataOf } from '#contract/endpoint.ts';
import { dollarsOrNull, toDollars } from '#contract/money.ts';
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

/** Liabilities and assets, by the ledger and as reported by the holders, in one snapshot. */
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

/** Paper mode and the sandbox have no real assets to report. */
export const isGatewayReal = (config: Context['config']): boolean =>
  config.mode !== 'paper' && !config.payments.includes('sandbox');
export const isVenueReal = (config: Context['config']): boolean => config.mode !== 'paper' && config.venue === 'ccxt';

export async function getReported(context: Context): Promise<DataOf<typeof solvencySeal.getReported>> {
  const { gateway, venue, counted } = await readCover(context);
  return {
    simulated: context.config.mode === 'paper',
    gateway: showHolding(gateway),
    venue: showHolding(venue),
    total: dollarsOrNull(reportedTotal([gateway, venue])),
    counted: toDollars(counted),
  };
}

const showHolding = ({ state, booked, reported, at }: Holding) => ({
  state,
  booked: toDollars(booked),
  reported: dollarsOrNull(reported),
  at: at?.toISOString() ?? null,
});
