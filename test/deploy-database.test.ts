import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';

const DEPLOY = join(import.meta.dirname, '../deploy');
const read = (name: string, folder = DEPLOY) => readFileSync(join(folder, name), 'utf8');

type Service = {
  image?: string;
  build?: unknown;
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: unknown;
};
const { services }: { services: Record<string, Service> } = parse(read('compose.yml'), { merge: true });

const scratch = mkdtempSync(join(tmpdir(), 'tradewind-deploy-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Third-party images, as the files of a folder name them. */
function listImages(folder: string): string[] {
  const { services: all }: { services: Record<string, Service> } = parse(read('compose.yml', folder), { merge: true });
  const taken = Object.values(all).flatMap(({ image, build }) => (image === undefined || build ? [] : [image]));
  const bases = globSync('*Dockerfile', { cwd: folder }).flatMap((name) =>
    [...read(name, folder).matchAll(/^FROM (\S+)/gm)].map(([, image]) => image as string),
  );
  return [...taken, ...bases];
}

test('third-party images are pinned by digest, whatever their tags point to later', () => {
  const images = listImages(DEPLOY);
  expect(images.length).toBeGreaterThan(5);
  expect(images.filter((image) => !/^(node|postgres|caddy):[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
});

/** Runs pin-images on a copy, with a registry that gives one answer. */
function pin(answer: string) {
  const folder = mkdtempSync(join(scratch, 'pin-'));
  cpSync(DEPLOY, folder, { recursive: true });
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\necho '${answer}'\n`, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH}` };
  return { folder, ...spawnSync(join(folder, 'pin-images'), { env, encoding: 'utf8' }) };
}

test('pin-images writes the current digests of the tags, and nothing when the registry has none', () => {
  const digest = `sha256:${'5'.repeat(64)}`;
  const { folder, status } = pin(digest);
  expect(status).toBe(0);
  expect(listImages(folder)).toEqual(listImages(DEPLOY).map((image) => image.replace(/@.*/, `@${digest}`)));
  expect(read('compose.yml', folder).replaceAll(/@sha256:\w+/g, '')).toBe(
    read('compose.yml').replaceAll(/@sha256:\w+/g, ''),
  );
  const failed = pin('error: not found');
  expect(failed.status).toBe(1);
  expect(failed.stderr).toMatch(/^caddy:2: no digest/);
  expect(read('compose.yml', failed.folder)).toBe(read('compose.yml'));
});

test('database clients verify its certificate, and it refuses connections without TLS', () => {
  const addresses = Object.values(services).flatMap(({ environment = {} }) =>
    Object.values(environment).filter((value) => value.startsWith('postgresql:')),
  );
  expect(addresses.length).toBeGreaterThan(1);
  for (const address of addresses)
    expect(address).toMatch(/@database:5432\/\w+\?sslmode=verify-full&sslrootcert=\/authority\/root\.crt$/);
  for (const { environment = {}, volumes = [] } of Object.values(services))
    if (Object.values(environment).some((value) => value.startsWith('postgresql:')))
      expect(volumes).toContain('authority:/authority:ro');
  const { command, volumes } = services.database as Service;
  for (const setting of [
    'ssl=on',
    'ssl_cert_file=/tls/server.crt',
    'ssl_key_file=/tls/server.key',
    'hba_file=/etc/pg_hba.conf',
  ])
    expect(command).toContain(`-c${setting}`);
  expect(volumes).toContain('./pg_hba.conf:/etc/pg_hba.conf:ro');
  const lines = read('pg_hba.conf').split('\n');
  expect(lines.filter((line) => line !== '' && !/^(#|local |hostssl .* scram-sha-256$)/.test(line))).toEqual([]);
  const holders = Object.entries(services).filter(([, service]) =>
    service.volumes?.some((one) => one.startsWith('tls:')),
  );
  expect(holders.map(([name]) => name)).toEqual(['certificate', 'database']);
});

test('backups run each night, over TLS, with a key that can encrypt and not decrypt', () => {
  const { environment, volumes, ...backup } = services.backup as Service;
  expect(environment).toMatchObject({
    PGSSLMODE: 'verify-full',
    PGSSLROOTCERT: '/authority/root.crt',
    BACKUP_RECIPIENT: expect.stringMatching(/^\$\{BACKUP_RECIPIENT:\?/),
  });
  expect(volumes).toEqual(expect.arrayContaining(['./backup:/backup:ro', 'archive:/archive', 'backups:/backups']));
  expect(backup).not.toHaveProperty('env_file');
  for (const name of ['compose.yml', 'backup', 'backup.Dockerfile', 'tradewind-backup.service'])
    expect(read(name)).not.toMatch(/AGE-SECRET|identity/i);
  // Compose gets $$, for the shell in the container.
  const [, , script = ''] = (backup as { entrypoint?: string[] }).entrypoint ?? [];
  const wait = /while sleep (.*); do \/backup; done/.exec(script.replaceAll('$$', '$'))?.[1] ?? '';
  for (const [time, seconds] of [
    ['02:29:59', 2],
    ['02:30:01', 86_400],
    ['00:00:00', 9_001],
    ['23:59:59', 9_002],
  ]) {
    const stopped = `date() { command date -d '2026-03-04 ${time} UTC' +%s; }; echo ${wait}`;
    expect(Number(execFileSync('bash', ['-c', stopped], { encoding: 'utf8' }))).toBe(seconds);
  }
  expect(read('tradewind-backup.timer')).toMatch(/^OnCalendar=\*-\*-\* 02:30:00 UTC$/m);
  expect(read('tradewind-backup.service')).toMatch(/^ExecStart=\/opt\/tradewind\/deploy\/backup$/m);
});

test('the log is archived whole or not at all, and continues after a full disk or a power cut', () => {
  const folder = mkdtempSync(join(scratch, 'archive-'));
  const [log, programs, kept] = [join(folder, 'log'), join(folder, 'programs'), join(folder, 'archive')];
  mkdirSync(programs);
  mkdirSync(kept);
  const setting = services.database?.command?.find((one) => one.startsWith('-carchive_command=')) ?? '';
  const command = setting
    .replace('-carchive_command=', '')
    .replaceAll('/archive', kept)
    .replaceAll('%p', log)
    .replaceAll('%f', '00000001');
  const archive = (path = '') =>
    spawnSync('sh', ['-c', command], { env: { PATH: `${path}:${process.env.PATH}` } }).status;
  writeFileSync(log, 'the whole log');
  writeFileSync(join(programs, 'cp'), '#!/bin/sh\nhead -c 5 "$1" >"$2"\nexit 1\n', { mode: 0o755 });
  expect(archive(programs)).not.toBe(0);
  expect(globSync('*', { cwd: kept })).toEqual([]);
  expect(archive()).toBe(0);
  expect(read('00000001', kept)).toBe('the whole log');
  // Not marked as archived before the power cut.
  expect(archive()).toBe(0);
  writeFileSync(log, 'the log of another');
  expect(archive()).not.toBe(0);
  expect(read('00000001', kept)).toBe('the whole log');
});

test('make-certificate keeps a valid one, and no key of the authority', () => {
  const [key, root] = [mkdtempSync(join(scratch, 'key-')), mkdtempSync(join(scratch, 'root-'))];
  const make = () => execFileSync(join(DEPLOY, 'make-certificate'), [key, root, 'database'], { stdio: 'pipe' });
  make();
  const first = read('server.crt', key);
  make();
  expect(read('server.crt', key)).toBe(first);
  expect(globSync('*', { cwd: key }).toSorted()).toEqual(['server.crt', 'server.key']);
  expect(globSync('*', { cwd: root })).toEqual(['root.crt']);
  expect(read('root.crt', root)).not.toContain('PRIVATE');
  rmSync(join(key, 'server.crt'));
  make();
  // Readers of the first root still accept the certificate that PostgreSQL has until it reloads the new one.
  expect(read('root.crt', root).match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
});
