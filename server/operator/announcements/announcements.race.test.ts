import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openConsoleWorld } from '#test/worlds/console-world.ts';

const world = closeAfterAll(await openConsoleWorld());

test('an announcement that several operators end at once is ended once', async () => {
  const { admin, support } = world;
  const at = 'operator/announcements';
  const to = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  for (let round = 0; round < 5; round += 1) {
    const body = { title: 'Maintenance', text: 'One hour.', to, otp: await admin.code() };
    const { id } = (await world.send(admin, 'POST', at, body)).body.data.announcement;
    const answers = await Promise.all(
      [admin, support, admin, support].map((who) => world.send(who, 'POST', `${at}/${id}/end`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  }
});
