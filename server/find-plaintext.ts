import { findPlainServer } from './db/servers.ts';

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/**
 * How to fix a URL whose traffic could be read or changed on the way; undefined if it requires TLS with verified
 * certificates, or leads to this machine.
 *
 * @param address `http(s)://`, `smtp(s)://` or `postgresql://`; credentials in it are never repeated
 */
export function findPlaintext(address: string): string | undefined {
  if (/^postgres(ql)?:/.test(address)) return findPlainServer(address, isLoopback);
  if (!URL.canParse(address)) return 'must be an address';
  const { protocol, hostname, searchParams } = new URL(address);
  if (isLoopback(hostname)) return undefined;
  if (protocol === 'http:') return 'must begin with https://';
  if (!protocol.startsWith('smtp')) return undefined;
  // The mailer reads these from the URL; without requireTLS it sends plaintext to a server without STARTTLS.
  if (searchParams.get('tls.rejectUnauthorized') === 'false') return 'must check the certificate of the server';
  if (protocol === 'smtps:' || ['true', '1'].includes(searchParams.get('requireTLS') ?? '')) return undefined;
  return 'must begin with smtps://, or end with ?requireTLS=true';
}
