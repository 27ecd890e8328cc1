import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { listUrls } from './db/servers.ts';
import { describeError } from './describe-error.ts';
import { currentRequestId } from './request-id.ts';

/**
 * The log: JSON, a line for each thing that happened, with the id of the request it happened in. Nobody's secret is
 * given to it; what a fault brings along nevertheless is taken out of errors (describe-error.ts), and the process's own
 * secrets out of whatever line they are in.
 *
 * A line costs a request no write of its own: lines are written together, a quarter of a second later at most and when
 * the process ends. Only a kill loses what was not written yet.
 *
 * @param destination the standard output, unless a test reads along
 */
export function openLog(config: Config, destination: DestinationStream = bufferedOutput()): Logger {
  const options = {
    level: config.logLevel,
    // Whoever collects the lines knows which process they come from.
    base: null,
    serializers: { err: (error: unknown) => describeError(error) },
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === undefined ? {} : { requestId };
    },
    hooks: { streamWrite: hideTexts(secretsOf(config)) },
  };
  return pino(options, destination);
}

/** Characters. */
const WRITE_AT = 16_000;
const WRITE_AFTER_MS = 250;

function bufferedOutput(): DestinationStream & { readonly flushSync: () => void } {
  // The process waits for each write: one that is still under way when it ends would come after the rest.
  const output = pino.destination({ dest: 1, sync: true });
  // Collected here: pino's own buffer counts the bytes of all that it holds with every line.
  let lines = '';
  const flushSync = () => {
    const text = lines;
    lines = '';
    if (text !== '') output.write(text);
    output.flushSync();
  };
  setInterval(flushSync, WRITE_AFTER_MS).unref();
  process.once('exit', flushSync);
  const write = (line: string) => {
    lines += line;
    if (lines.length >= WRITE_AT) flushSync();
  };
  return { write, flushSync };
}

/** A shorter one would be taken out of the middle of words, and protects nothing anyway. */
const SHORTEST_SECRET = 8;

/** @returns the text with each of these replaced, as they are and as JSON writes them */
export function hideTexts(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  // The longest first: of two that begin alike the rest of the longer one would stay.
  const sorted = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => sorted.reduce((left, form) => left.replaceAll(form, '[hidden]'), text);
}

/** Whatever of the settings opens something. */
function secretsOf(config: Config): string[] {
  const secrets = [
    config.sandboxSecret,
    config.sandboxSecretBefore,
    config.admin?.password,
    config.market.coingecko.apiKey,
    config.venueKeys?.apiKey,
    config.venueKeys?.secret,
    config.venueKeys?.password,
    config.btcpay?.apiKey,
    config.btcpay?.payoutKey,
    ...(config.btcpay?.webhookSecrets ?? []),
    config.nowpayments?.apiKey,
    ...(config.nowpayments?.ipnSecrets ?? []),
    ...Object.values(config.nowpayments?.payoutKeys ?? {}),
    // Its address may hold a token.
    config.anchorUrl,
    ...passwordsOf(config.databaseUrl),
    ...passwordsOf(config.databaseListenUrl),
    ...passwordsOf(config.databaseMigrateUrl),
    ...passwordsOf(config.databaseReaderUrl),
    ...passwordsOf(config.databaseReadUrl),
    ...passwordsOf(config.smtpUrl),
    ...passwordsOf(config.tracing.endpoint),
  ];
  return secrets.filter((secret) => secret !== undefined && secret.length >= SHORTEST_SECRET) as string[];
}

/** As it stands in the address and as it is sent. */
function passwordsOf(url: string | undefined): string[] {
  // Of several servers the first one: they share what stands before them.
  const [first = ''] = url === undefined ? [] : listUrls(url);
  if (!URL.canParse(first)) return [];
  const { password } = new URL(first);
  return password === '' ? [] : [password, decodeURIComponent(password)];
}
