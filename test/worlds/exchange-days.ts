import assert from 'node:assert';
import { DAY, type SessionsWorld, symbols } from './exchange-sessions.ts';
import { type Closing, healthy, unlikely } from './exchange-steps.ts';

/** What is gone at the close, the night, and what operators do about the rest. */
export async function endDay(world: SessionsWorld, { gone, sales }: Closing) {
  const { desk, node } = world;
  if (gone?.how === 'delist') desk.delist(gone.of);
  if (gone?.how === 'BREAK') Object.assign(desk.pairs.get(node.nameOf(gone.of)) as object, { status: 'BREAK' });
  if (gone?.how === 'lie') node.lies.push(unlikely);
  if (gone?.how === 'silent')
    for (let time = 0; time < 300; time += 1) node.interferences.push({ call: node.calls.find, with: 'break' });
  await world.wait(DAY);
  for (const { which, percent, decision: how } of sales) await desk.bookOne(which, percent, how);
}

/** Everything works again. */
export async function heal({ desk, node, members }: SessionsWorld) {
  node.interferences.length = 0;
  node.lies.length = 0;
  desk.rightClock();
  node.deliverLate();
  Object.assign(node.account.book, healthy);
  desk.relist();
  for (const of of symbols) await desk.switchAsset(of, true);
  desk.remember();
  await desk.lift();
  for (const memberId of members) await desk.freeze(memberId, false);
}

/** Books what nobody has booked so far, and explains the rest. */
export async function settleAll({ desk }: SessionsWorld) {
  await desk.payOut();
  await desk.importStatement();
  for (let turn = 0; turn < 3; turn += 1) {
    await desk.decideLeft('reject');
    await desk.settleAll();
  }
  assert.deepEqual(await desk.listOpen(), []);
}
