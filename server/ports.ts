import { createServer } from 'node:net';
import { BadConfig, type Config } from './config.ts';

const causes: Record<string, string> = {
  EADDRINUSE: 'another program listens there already',
  EACCES: 'this user may not listen there',
};
const hostCauses: Record<string, string> = {
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'no machine has that name',
  EAI_AGAIN: 'that name could not be looked up',
};

type ListenAddress = { readonly setting: 'PORT' | 'METRICS_PORT'; readonly host: string; readonly port: number };

/**
 * Checks both ports before anything else, so that a conflict is reported immediately.
 *
 * @throws BadConfig
 */
export async function refuseTakenPorts(config: Config): Promise<void> {
  for (const address of [httpAddressOf(config), metricsAddressOf(config)])
    if (address.port > 0) await listenAt(address, () => bind(address));
}

/**
 * Listens, or explains in one line why it cannot.
 *
 * @throws BadConfig naming the setting
 */
export async function listenAt<T>({ setting, host, port }: ListenAddress, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const cause = causes[code] ?? hostCauses[code];
    if (cause === undefined) throw error;
    const named = code in hostCauses ? setting.replace('PORT', 'HOST') : setting;
    throw new BadConfig(`${named}: cannot listen on ${host}:${port}, ${cause}`);
  }
}

export const httpAddressOf = ({ host, port }: Config): ListenAddress => ({ setting: 'PORT', host, port });

/** A port of 0 for none. */
export const metricsAddressOf = ({ metrics: { host, port = 0 } }: Config): ListenAddress => ({
  setting: 'METRICS_PORT',
  host,
  port,
});

const bind = ({ host, port }: ListenAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
