import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { liveCloses } from '#contract/live/live-rules.ts';
import { ensureCompany, findCaller } from '#server/accounts/index.ts';
import { connectPostgres, type Database } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { openLive } from '#server/live/index.ts';
import { listen } from '#server/live/live-world.test-setup.ts';
import { type Cluster, startCluster } from '#test/database/postgres-cluster.ts';
import { testContext } from '#test/worlds/builders.ts';
import { signUp } from '#test/worlds/members.ts';

let cluster: Cluster;
let database: Database;

beforeAll(async () => {
  cluster = await startCluster();
  database = connectPostgres(cluster.url('postgres'));
  await migrate(database);
});
afterAll(async () => {
  await database.close();
  await cluster.stop();
});

test('after a kill of the database pages are told to reload, and sign-ins that ended meanwhile are closed', async () => {
  const context = testContext(database);
  await ensureCompany(context);
  await sql`insert into market.clock (feed, seed, step_seconds, at) values ('simulated', 'none', 60, now())`.execute(
    context.db,
  );
  const [anna, bert] = [await signUp(context), await signUp(context, { email: 'bert@example.com' })];
  const live = openLive(context);
  const [ofAnna, ofBert] = [await listen(live, anna.token), await listen(live, bert.token)];
  const since = ofAnna.socket.position();
  const caller = await findCaller(context, bert.token);

  // Events are not written to disk: that of the sign-in is lost with the server.
  await sql`delete from identity.auth_session where id = ${caller?.authSessionId}`.execute(context.db);
  await sql`checkpoint`.execute(context.db);
  await cluster.kill();
  await cluster.start();
  await expect
    .poll(() =>
      live.tick().then(
        () => 'reached',
        () => 'away',
      ),
    )
    .toBe('reached');

  expect(ofAnna.socket.of('resync')).toHaveLength(1);
  expect([ofAnna.socket.closes, ofBert.socket.closes]).toEqual([[], [liveCloses.signedOut]]);
  const again = await listen(live, anna.token, { since });
  expect(again.socket.sent.slice(0, 2).map(({ type }) => type)).toEqual(['ready', 'resync']);
  for (const { connection } of [ofAnna, ofBert, again]) connection.disconnect();
});
