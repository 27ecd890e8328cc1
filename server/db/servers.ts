import { Client } from 'pg';

const PARTS = /^(\w+:\/\/)([^/?#]*)(.*)$/;
const SCHEME = /^postgres(ql)?:\/\//;
const WRITING = ['read-write', 'primary'];

/** Why an address of PostgreSQL cannot be used, in one line; undefined when it can. */
export function findAddressFault(address: string): string | undefined {
  if (!SCHEME.test(address)) return 'postgresql://…';
  const urls = listUrls(address);
  if (!urls.every((url) => URL.canParse(url))) {
    if (urls.length > 1) return 'postgresql://user:password@host:port,host:port/database';
    // What else one host's address may look like, only the driver knows.
    return isReadByDriver(address) ? undefined : 'postgresql://user:password@host:port/database';
  }
  const { searchParams } = new URL(urls[0] as string);
  if (searchParams.get('host')?.includes(',')) return 'several hosts stand between // and /, with commas between them';
  const wanted = searchParams.get('target_session_attrs');
  if (wanted !== null && !WRITING.includes(wanted))
    return `target_session_attrs is read-write: everything here writes, so not ${wanted}`;
  return undefined;
}

/**
 * What an address must say so that no server that it names is spoken to without TLS and a checked certificate; undefined
 * when it does, or when they are all on this machine. The driver itself is asked how it reads the address.
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

/** Also true where it can, and a file that it names cannot. */
function isReadByDriver(connectionString: string): boolean {
  try {
    return new Client({ connectionString }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ERR_INVALID_URL';
  }
}

/** Undefined where a file that the address names cannot be read. */
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
  const who = authority.slice(0, at);
  const hosts = authority.slice(at).split(',');
  return hosts.map((host) => `${scheme}${who}${host}${rest}`);
}

/**
 * The servers that one address names, and which of them this process takes for the one that writes. With several, or with
 * `target_session_attrs=read-write`, each connection looks whether it is; the driver itself knows none of this.
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

  /** Where the next connection leads. */
  get url(): string {
    return this.#urls[this.#current] as string;
  }
  get count(): number {
    return this.#urls.length;
  }
  /** Connections made at an earlier age are not used again. */
  get age(): number {
    return this.#age;
  }

  /** This one is not there, or only reads. However many connections find that out at once, it is the next one's turn. */
  passOver(url: string): void {
    if (url === this.url) this.#current = (this.#current + 1) % this.#urls.length;
  }

  /** A server that took writes takes none any more: whatever else is connected to it is as useless. */
  outlive(age: number): void {
    if (age === this.#age) this.#age += 1;
  }
}
