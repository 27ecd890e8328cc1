import assert from 'node:assert';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { openExchange } from '#server/market/index.ts';
import { ccxtVenue } from './venue-ccxt.ts';
import type { Venue } from './venue-port.ts';

const opened = new WeakMap<Config, Promise<Venue>>();

/** The exchange of this installation, with the keys that may trade; opened once a process. */
export function openVenue(context: Context): Promise<Venue> {
  const { config } = context;
  const known = opened.get(config);
  if (known !== undefined) return known;
  const opening = open(context);
  opened.set(config, opening);
  opening.catch(() => opened.delete(config));
  return opening;
}

async function open(context: Context): Promise<Venue> {
  const { venueKeys, market } = context.config;
  assert(venueKeys, 'a venue at an exchange has keys');
  return ccxtVenue(context, await openExchange(market.exchange, venueKeys));
}
