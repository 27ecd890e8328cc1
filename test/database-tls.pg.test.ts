import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { connectPostgres } from '#server/db/connect.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { clusterOwner, makeClusterFolder, startCluster } from '#test/database/postgres-cluster.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';

const DEPLOY = join(import.meta.dirname, '../deploy');
const folder = makeClusterFolder(scratchFolder());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As the container of compose.yml creates it, for the user that runs PostgreSQL here. */
function makeCertificate(name: string): string {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  execFileSync(join(DEPLOY, 'make-certificate'), [place, place, 'localhost'], { stdio: 'pipe' });
  const { uid, gid } = clusterOwner();
  if (uid !== undefined && gid !== undefined)
    for (const file of [place, join(place, 'server.key'), join(place, 'server.crt')]) chownSync(file, uid, gid);
  return place;
}

const own = makeCertificate('own');
const other = makeCertificate('other');
const rules = join(folder, 'pg_hba.conf');
// The deployed rules apply to everybody except the creator of the cluster.
writeFileSync(rules, `host all tradewind 127.0.0.1/32 trust\n${readFileSync(join(DEPLOY, 'pg_hba.conf'), 'utf8')}`);
const cluster = await startCluster({
  parent: scratchFolder(),
  settings: [
    'ssl=on',
    'ssl_min_protocol_version=TLSv1.3',
    `ssl_cert_file=${join(own, 'server.crt')}`,
    `ssl_key_file=${join(own, 'server.key')}`,
    `hba_file=${rules}`,
  ],
});
closeAfterAll({ close: cluster.stop });
const admin = connectPostgres(cluster.url('postgres'), { max: 1 });
await admin.runScript("create role app login password 'secret'");

/** The result of a connection with these parameters. */
async function connect(parameters: string, host = 'localhost'): Promise<string> {
  const database = connectPostgres(`postgresql://app:secret@${host}:${cluster.port}/postgres?${parameters}`);
  try {
    await database.runScript('select 1');
    return 'connected';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  } finally {
    await database.close();
  }
}
const verifying = (place: string) => `sslmode=verify-full&sslrootcert=${join(place, 'root.crt')}`;

test('a client that verifies the certificate logs in with the password', async () => {
  expect(await connect(verifying(own))).toBe('connected');
});

test('no client logs in without TLS', async () => {
  expect(await connect('sslmode=disable')).toBe('28000');
});

test('a client rejects a server with a foreign certificate, or one for another name', async () => {
  expect(await connect(verifying(other))).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  expect(await connect('sslmode=verify-full')).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  expect(await connect(verifying(own), '127.0.0.1')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
});

test('a renewed certificate is used after a reload, and clients connect before and after it', async () => {
  rmSync(join(own, 'server.crt'));
  makeCertificate('own');
  expect(await connect(verifying(own))).toBe('connected');
  await admin.runScript('select pg_reload_conf()');
  await expect.poll(() => connect(verifying(own))).toBe('connected');
  await admin.close();
});
