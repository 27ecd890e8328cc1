/** A PostgreSQL with its Patroni. */
export type NodePlace = {
  readonly name: string;
  readonly folder: string;
  readonly postgresPort: number;
  readonly restPort: number;
};

export type Ports = {
  readonly etcd: number;
  readonly etcdPeer: number;
  /** HAProxy's ports for the primary, for standbys, and for the processes that answer requests. */
  readonly primary: number;
  readonly replica: number;
  readonly web: number;
  readonly pgbouncer: number;
  readonly apis: readonly number[];
};

export const DATABASE = 'tradewind';
/** Reaches a standby through PgBouncer and HAProxy. */
export const READ_DATABASE = 'tradewind_read';
const HOST = '127.0.0.1';

/** `ttl` is Patroni's minimum; `loop_wait` + 2 × `retry_timeout` must not exceed it. */
const FAILOVER = {
  ttl: 20,
  loop_wait: 2,
  retry_timeout: 5,
  // A crashed primary is not restarted: its standby takes over.
  primary_start_timeout: 0,
  // Commits wait for a standby to have them, even while there is none.
  synchronous_mode: true,
  synchronous_mode_strict: true,
};

/** JSON, which is also YAML. */
export function patroniSettings(node: NodePlace, ports: Ports, programs: string): string {
  const role = (username: string) => ({ username, password: 'rehearsal' });
  return JSON.stringify({
    scope: 'tradewind',
    name: node.name,
    restapi: { listen: `${HOST}:${node.restPort}`, connect_address: `${HOST}:${node.restPort}` },
    etcd3: { host: `${HOST}:${ports.etcd}` },
    bootstrap: {
      dcs: {
        ...FAILOVER,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { max_connections: 200, shared_buffers: '256MB', synchronous_commit: 'on', wal_log_hints: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${HOST}:${node.postgresPort}`,
      connect_address: `${HOST}:${node.postgresPort}`,
      data_dir: `${node.folder}/data`,
      bin_dir: programs,
      pgpass: `${node.folder}/pgpass`,
      authentication: { superuser: role('tradewind'), replication: role('replicator') },
      pg_hba: [`host all all ${HOST}/32 trust`, `host replication all ${HOST}/32 trust`, 'local all all trust'],
      parameters: { unix_socket_directories: node.folder },
    },
  });
}

/** HAProxy asks Patroni for the primary, and each server whether it is ready. */
export function haproxySettings(nodes: readonly NodePlace[], ports: Ports): string {
  const databases = (name: string, port: number, path: string) => `
listen ${name}
  bind ${HOST}:${port}
  option httpchk OPTIONS ${path}
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} ${HOST}:${node.postgresPort} check port ${node.restPort}`).join('\n')}
`;
  return `global
  maxconn 2000
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
${databases('primary', ports.primary, '/primary')}${databases('replica', ports.replica, '/replica')}
listen web
  bind ${HOST}:${ports.web}
  mode http
  option httpchk GET /readyz
  option redispatch
  default-server inter 500ms fall 1 rise 1
${ports.apis.map((port, index) => `  server api${index + 1} ${HOST}:${port} check`).join('\n')}
`;
}

/** `deploy/pgbouncer.ini` with a second database that uses a standby. */
export const pgbouncerSettings = (ports: Ports): string => `[databases]
${DATABASE} = host=${HOST} port=${ports.primary} user=tradewind
${READ_DATABASE} = host=${HOST} port=${ports.replica} dbname=${DATABASE} user=tradewind
[pgbouncer]
listen_addr = ${HOST}
listen_port = ${ports.pgbouncer}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 40
max_client_conn = 1000
server_login_retry = 1
query_wait_timeout = 5
`;
