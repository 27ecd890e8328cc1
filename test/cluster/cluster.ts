import { chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { clusterOwner, freePort, makeClusterFolder } from '#test/database/postgres-cluster.ts';
import { type Background, runInBackground } from './background.ts';
import type { Programs } from './programs.ts';
import { haproxySettings, type NodePlace, type Ports, patroniSettings, pgbouncerSettings } from './settings.ts';

const START_MS = 90_000;

/** A PostgreSQL with its Patroni; either may be dead. */
export type Node = NodePlace & {
  readonly start: () => void;
  /** Kills PostgreSQL like a crash. Its Patroni continues. */
  readonly killPostgres: () => void;
  /** Kills everything, like a power cut. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly tail: () => string;
};

/** etcd, the nodes, and HAProxy and PgBouncer in front of them. */
export type Cluster = {
  readonly ports: Ports;
  /** The node that accepts writes, with a standby in sync. */
  readonly findPrimary: () => Promise<Node>;
  /** Waits until all other nodes follow the primary, one as its synchronous standby. */
  readonly waitWhole: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly tails: () => string;
};

const NAMES = ['one', 'two', 'three'] as const;

/** The supported numbers of nodes; two must acknowledge a commit. */
export type NodeCount = 2 | 3;

export async function startCluster(programs: Programs, count: NodeCount, apis: number): Promise<Cluster> {
  const folder = makeClusterFolder();
  const ports = await choosePorts(apis);
  const nodes = await Promise.all(NAMES.slice(0, count).map((name) => placeNode(name, folder, ports, programs)));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const running: Record<string, Background> = {};
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await Promise.all(Object.values(running).map((one) => one.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  const tails = () =>
    [
      ...nodes.map((node) => [node.name, node.tail()]),
      ...Object.entries(running).map(([name, one]) => [name, one.tail()]),
    ]
      .map(([name, text]) => `== ${name}\n${text}`)
      .join('\n');
  const waitWhole = () =>
    waitUntil('a primary and its synchronous standby', async () => {
      const [standbys, followed] = await Promise.all([
        Promise.all(nodes.map((node) => isAnswered(node, 'synchronous'))),
        Promise.all(nodes.map(countFollowers)),
      ]);
      return standbys.includes(true) && followed.includes(count - 1);
    });
  try {
    const [client, peer] = [ports.etcd, ports.etcdPeer].map((port) => `http://127.0.0.1:${port}`) as [string, string];
    const etcd = ['--name', 'one', '--data-dir', join(folder, 'etcd'), '--initial-cluster', `one=${peer}`];
    const urls = ['--listen-client-urls', '--advertise-client-urls'].flatMap((name) => [name, client]);
    const peers = ['--listen-peer-urls', '--initial-advertise-peer-urls'].flatMap((name) => [name, peer]);
    running.etcd = runInBackground([programs.etcd, ...etcd, ...urls, ...peers], folder, 'etcd');
    await waitUntil('etcd', () => isOk(`${client}/health`));
    for (const node of nodes) node.start();
    const haproxy = write('haproxy.cfg', haproxySettings(nodes, ports));
    running.haproxy = runInBackground([programs.haproxy, '-db', '-f', haproxy], folder, 'haproxy');
    const pgbouncer = write('pgbouncer.ini', pgbouncerSettings(ports));
    running.pgbouncer = runInBackground([programs.pgbouncer, pgbouncer], folder, 'pgbouncer');
    await waitWhole();
  } catch (error) {
    const said = tails();
    await stop();
    throw new Error(`The cluster did not start:\n${said}`, { cause: error });
  }
  return {
    ports,
    stop,
    tails,
    waitWhole,
    findPrimary: async () => {
      for (const node of nodes) if (await isAnswered(node, 'primary')) return node;
      throw new Error('no node takes writes');
    },
  };
}

async function choosePorts(apis: number): Promise<Ports> {
  const [etcd, etcdPeer, primary, replica, web, pgbouncer, ...rest] = await Promise.all(
    Array.from({ length: 6 + apis }, freePort),
  );
  return { etcd, etcdPeer, primary, replica, web, pgbouncer, apis: rest } as Ports;
}

async function placeNode(name: string, parent: string, ports: Ports, programs: Programs): Promise<Node> {
  const place = { name, folder: join(parent, name), postgresPort: await freePort(), restPort: await freePort() };
  mkdirSync(place.folder);
  const { uid, gid } = clusterOwner();
  if (uid !== undefined && gid !== undefined) chownSync(place.folder, uid, gid);
  const settings = join(place.folder, 'patroni.yml');
  writeFileSync(settings, patroniSettings(place, ports, programs.postgres));
  let patroni: Background | undefined;
  const killPostgres = () => {
    const [pid] = readFileSync(join(place.folder, 'data/postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
  };
  return {
    ...place,
    killPostgres,
    start: () => {
      patroni = runInBackground([programs.patroni, settings], place.folder, 'patroni');
    },
    kill: async () => {
      await patroni?.kill();
      killPostgres();
    },
    stop: async () => patroni?.stop(),
    tail: () => patroni?.tail() ?? '',
  };
}

const isOk = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );

const isAnswered = (node: NodePlace, role: string) => isOk(`http://127.0.0.1:${node.restPort}/${role}`);

/** The number of nodes that follow a primary with a synchronous standby; 0 for any other node. */
async function countFollowers(node: NodePlace): Promise<number> {
  if (!(await isAnswered(node, 'primary'))) return 0;
  const reply = await fetch(`http://127.0.0.1:${node.restPort}/patroni`);
  const { replication = [] } = (await reply.json()) as Status;
  const following = replication.filter(({ state }) => state === 'streaming');
  return following.some(({ sync_state }) => sync_state === 'sync') ? following.length : 0;
}

type Status = { readonly replication?: readonly { readonly state: string; readonly sync_state: string }[] };

async function waitUntil(what: string, isThere: () => Promise<boolean>): Promise<void> {
  for (const giveUpAt = Date.now() + START_MS; Date.now() < giveUpAt; await wait(100)) if (await isThere()) return;
  throw new Error(`${what}: not there within ${START_MS / 1000} s`);
}
