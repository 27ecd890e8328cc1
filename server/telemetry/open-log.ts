import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '#server/config.ts';
import { listUrls } from '#server/db/servers.ts';
import { describeError } from './describe-error.ts';
import { currentRequestId } from './request-id.ts';

/**
 * The log: one JSON line per event, with the request id. Secrets are never logged on purpose; values in errors are
 * removed (describe-error.ts), and the process's own secrets are removed from every line.
 *
 * Lines are buffered and written together, within a quarter of a second and at exit. Only a kill loses buffered lines.
 *
 * @param destination standard output, except in tests
 */
export function openLog(config: Config, destination: DestinationStream = bufferedOutput()): Logger {
  const options = {
    level: config.logLevel,
    // The log collector knows which process a line comes from.
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
  // Synchronous, because a pending asynchronous write at exit would arrive out of order.
  const output = pino.destination({ dest: 1, sync: true });
  // Buffered here, because pino's own buffer recounts all its bytes with every line.
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

/** Shorter ones would match within words, and protect nothing anyway. */
const MIN_SECRET_LENGTH = 8;

/** @returns a function that removes these secrets from a text, plain and JSON-escaped */
export function hideTexts(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  // Longest first: if one is a prefix of another, the rest of the longer one would remain.
  const sorted = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => sorted.reduce((left, form) => left.replaceAll(form, '[hidden]'), text);
}

/** All secrets in the settings. */
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
    // Its URL may contain a token.
    config.anchorUrl,
    ...passwordsOf(config.databaseUrl),
    ...passwordsOf(config.databaseListenUrl),
    ...passwordsOf(config.databaseMigrateUrl),
    ...passwordsOf(config.databaseReaderUrl),
    ...passwordsOf(config.databaseReadUrl),
    ...passwordsOf(config.smtpUrl),
    ...passwordsOf(config.tracing.endpoint),
  ];
  return secrets.filter((secret) => secret !== undefined && secret.length >= MIN_SECRET_LENGTH) as string[];
}

/** Encoded as in the URL, and decoded. */
function passwordsOf(url: string | undefined): string[] {
  // The first of several servers, because they share user and password.
  const [first = ''] = url === undefined ? [] : listUrls(url);
  if (!URL.canParse(first)) return [];
  const { password } = new URL(first);
  return password === '' ? [] : [password, decodeURIComponent(password)];
}
