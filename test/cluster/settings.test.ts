import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { haproxySettings, patroniSettings, pgbouncerSettings } from './settings.ts';

const nodes = ['one', 'two'].map((name, index) => {
  return { name, folder: `/nodes/${name}`, postgresPort: 5001 + index, restPort: 8001 + index };
});
const ports = { etcd: 1, etcdPeer: 2, primary: 3, replica: 4, web: 5, pgbouncer: 6, apis: [7, 8] };

test('Patroni accepts its intervals, and no commit is acknowledged on one node alone', () => {
  const { bootstrap, postgresql } = JSON.parse(patroniSettings(nodes[1] as (typeof nodes)[0], ports, '/bin'));
  const { ttl, loop_wait, retry_timeout, ...rest } = bootstrap.dcs;
  expect(ttl).toBeGreaterThanOrEqual(20);
  expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl);
  expect(rest).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true, primary_start_timeout: 0 });
  expect(postgresql).toMatchObject({ listen: '127.0.0.1:5002', data_dir: '/nodes/two/data' });
});

test('HAProxy checks the Patroni of each PostgreSQL node, and the servers themselves', () => {
  const [, primary = '', replica = '', web = ''] = haproxySettings(nodes, ports).split(/^listen /m);
  expect(primary).toMatch(/bind 127.0.0.1:3\n.*\/primary\n/s);
  expect(replica).toMatch(/bind 127.0.0.1:4\n.*\/replica\n/s);
  for (const part of [primary, replica])
    expect(part.match(/(?<=^\s+)server .*/gm)).toEqual([
      'server one 127.0.0.1:5001 check port 8001',
      'server two 127.0.0.1:5002 check port 8002',
    ]);
  expect(web).toMatch(/bind 127.0.0.1:5\n.*GET \/readyz\n.*api1 127.0.0.1:7 check\n.*api2 127.0.0.1:8 check/s);
});

test('PgBouncer has the settings of the deployment', () => {
  const deployed = readFileSync(join(import.meta.dirname, '../../deploy/pgbouncer.ini'), 'utf8');
  const pooling = ['pool_mode', 'default_pool_size', 'max_client_conn', 'server_login_retry', 'query_wait_timeout'];
  for (const name of pooling) {
    const line = new RegExp(`^${name} = .*$`, 'm');
    expect(pgbouncerSettings(ports).match(line)?.[0]).toBe(deployed.match(line)?.[0]);
  }
});
