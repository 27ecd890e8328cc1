import { isIP } from 'node:net';
import type { Config } from '#server/config.ts';
import { Refused } from '#server/refused.ts';

/** What passkeys are bound to: a domain, and the pages that may ask for them. */
export type RelyingParty = { readonly id: string; readonly origins: readonly string[] };

/**
 * That of `PUBLIC_URL`, else of the address that the browser asked. Who makes a Host header up gains nothing: a device
 * signs for the domain it sees itself, and knows a passkey on its own domain only. Refusal: `passkeys_unavailable` at an
 * address in numbers, which no browser has passkeys for.
 *
 * @param host the Host header: `localhost:8080`
 */
export function getRelyingParty({ publicUrl }: Pick<Config, 'publicUrl'>, host: unknown): RelyingParty {
  const url = URL.parse(publicUrl ?? `http://${typeof host === 'string' ? host : ''}`);
  if (url === null || isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0) throw new Refused('passkeys_unavailable');
  const origins = publicUrl === undefined ? [`http://${url.host}`, `https://${url.host}`] : [url.origin];
  return { id: url.hostname, origins };
}
