import { Client } from 'pg';

const PARTS = /^(\w+:\/\/)([^/?#]*)(.*)$/;
const SCHEME = /^postgres(ql)?:\/\//;
const WRITING = ['read-write', 'primary'];

/** Why a PostgreSQL URL is invalid, in one line, or undefined. */
export function findAddressFault(address: string): string | undefined {
  if (!SCHEME.test(address)) return 'must begin with postgresql://';
  const urls = listUrls(address);
  if (!urls.every((url) => URL.canParse(url))) {
    if (urls.length > 1) return 'must be postgresql://user:password@host:port,host:port/database';
    // Only the driver knows the other forms of a single-host URL.
    return isReadByDriver(address) ? undefined : 'must be postgresql://user:password@host:port/database';
  }
  const { searchParams } = new URL(urls[0] as string);
  if (searchParams.get('host')?.includes(',')) return 'several hosts stand between // and /, with commas between them';
  const wanted = searchParams.get('target_session_attrs');
  if (wanted !== null && !WRITING.includes(wanted))
    return `target_session_attrs is read-write: everything here writes, so not ${wanted}`;
  return undefined;
}

/**
 * What a URL must contain so that every server is reached by TLS with a verified certificate; undefined if it does, or
 * if all servers are on this machine. Uses the driver's own interpretation of the URL.
 */
export function findPlainServer(address: string, isLoopback: (host: string) => boolean): string | undefined {
  for (const url of listUrls(address)) {
    const driver = askDriver(url);
    if (driver === undefined) return 'the file of sslrootcert, sslcert or sslkey must be there';
    if (driver.host.startsWith('/') || isLoopback(driver.host)) continue;
    if (!driver.ssl) return 'must ask for TLS (sslmode=verify-full)';
    if (driver.ssl.rejectUnauthorized === false) return 'must check certificates (sslmode=verify-full)';
  }
  return undefined;
}

type Driver = { readonly host: string; readonly ssl: false | { readonly rejectUnauthorized?: boolean } };

/** True also if only a file that the URL names is unreadable. */
function isReadByDriver(connectionString: string): boolean {
  try {
    return new Client({ connectionString }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ERR_INVALID_URL';
  }
}

/** Undefined if a file that the URL names is unreadable. */
function askDriver(connectionString: string): Driver | undefined {
  try {
    return new Client({ connectionString }) as unknown as Driver;
  } catch {
    return undefined;
  }
}

/** `postgresql://user@a:5432,b:5433/name` → one URL for `a`, one for `b`. */
export function listUrls(address: string): string[] {
  const [, scheme = '', authority = '', rest = ''] = PARTS.exec(address) ?? [];
  const at = authority.lastIndexOf('@') + 1;
  const user = authority.slice(0, at);
  const hosts = authority.slice(at).split(',');
  return hosts.map((host) => `${scheme}${user}${host}${rest}`);
}

/**
 * The servers in a URL, and which of them this process considers the writable one. With several, or with
 * `target_session_attrs=read-write`, each connection checks; the driver does not support this.
 */
export class Servers {
  readonly #urls: readonly string[];
  readonly mustWrite: boolean;
  #current = 0;
  #age = 0;

  constructor(address: string) {
    this.#urls = listUrls(address);
    this.mustWrite = this.#urls.length > 1 || /[?&]target_session_attrs=/.test(address);
  }

  /** The server for the next connection. */
  get url(): string {
    return this.#urls[this.#current] as string;
  }
  get count(): number {
    return this.#urls.length;
  }
  /** Connections opened at an earlier age are not reused. */
  get age(): number {
    return this.#age;
  }

  /** Moves on from a server that is unavailable or read-only, once for all connections that detect it. */
  passOver(url: string): void {
    if (url === this.url) this.#current = (this.#current + 1) % this.#urls.length;
  }

  /** The server no longer accepts writes, so all connections to it are obsolete. */
  outlive(age: number): void {
    if (age === this.#age) this.#age += 1;
  }
}
