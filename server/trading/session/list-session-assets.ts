import type { Db } from '#server/db/connect.ts';
import { findSessionSpread } from '#server/market/index.ts';
import { type FillMark, findFillMark, plain } from '../core/fill-mark.ts';
import { KeptAnswers } from '../portfolio/kept-answers.ts';
import { readMarks } from '../portfolio/read-marks.ts';
import { type AssetFigures, listAssetFigures, listClosingMarks, type SessionMark } from './session-figures-sql.ts';

/** What trades of a session were bought or sold at, and the mark and spread it was made of. */
export type SessionPrice = FillMark & { readonly price: string; readonly at: Date };

/** An asset of which trades opened in a session. */
export type SessionAssetFigures = AssetFigures & {
  /** The first opening. */
  readonly opening: SessionPrice;
  /** The closing mark; null until it is fixed. */
  readonly closing: (SessionPrice & { readonly isLate: boolean }) | null;
};

/** A settled session does not change any more: its trades are added up once in a process, however often somebody looks. */
const kept = new KeptAnswers<string, readonly SessionAssetFigures[]>(40);

/** Prices and positions of a session by asset, in the order of their symbols. */
export async function listSessionAssets(
  db: Db,
  { day, isSettled }: { readonly day: string; readonly isSettled: boolean },
): Promise<readonly SessionAssetFigures[]> {
  const known = kept.find(db, day);
  if (known !== undefined) return known;
  const [figures, marks] = await Promise.all([listAssetFigures(db, day), listClosingMarks(db, day)]);
  const assets = await Promise.all(
    figures.map((asset) =>
      withPrices(
        db,
        day,
        asset,
        marks.find(({ symbol }) => symbol === asset.symbol),
      ),
    ),
  );
  if (isSettled) kept.keep(db, day, assets);
  return assets;
}

async function withPrices(
  db: Db,
  day: string,
  asset: AssetFigures,
  closed: SessionMark | undefined,
): Promise<SessionAssetFigures> {
  const { symbol, openedAt, openPrice } = asset;
  const spreadBps = (await findSessionSpread(db, symbol, day)) ?? 0;
  const mark = (await readMarks(db, symbol, [openedAt])).exact(openedAt);
  return {
    ...asset,
    opening: { ...findFillMark('buy', openPrice, { mark, spreadBps }), price: plain(openPrice), at: openedAt },
    closing: closed === undefined ? null : closingOf(closed, spreadBps),
  };
}

const closingOf = ({ mark, closePrice, isLate, markedAt }: SessionMark, spreadBps: number) => ({
  ...findFillMark('sell', closePrice, { mark, spreadBps }),
  price: plain(closePrice),
  at: markedAt,
  isLate,
});
