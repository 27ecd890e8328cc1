import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { signUp } from '#test/worlds/members.ts';
import { listen } from './live-world.test-setup.ts';
import { openLive } from './open-live.ts';

const { context } = closeAfterAll(await bootRecorded());

test('what is committed while a resumed socket reads what it missed is sent to it once', async () => {
  const { token, memberId } = await signUp(context);
  const tell = (message: string) =>
    inTransaction(context.db, (tx) => notifyMember(tx, { memberId, kind: 'test', message }));
  const before = await listen(openLive(context), token);
  before.connection.disconnect();
  await tell('missed');
  let isTold = false;
  const db = context.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!isTold && result.rows.some((row) => 'startedAt' in row)) {
        isTold = true;
        await tell('after the snapshot');
      }
      return result;
    },
  });
  const live = openLive({ ...context, db });
  const { socket, connection } = await listen(live, token, { since: before.socket.position() });
  await live.poll();
  const told = socket.of('notification').flatMap(({ data }) => data.added.map(({ message }) => message));
  expect(told).toEqual(['missed', 'after the snapshot']);
  connection.disconnect();
});
