import { base32nopad } from '@scure/base';
import fc from 'fast-check';
import { listRows } from '#server/db/rows.ts';
import { type Call, findCall, readCalls } from './calls.ts';
import { castAnew, findEmailedToken, findSecrets, type Person, replace } from './cast.ts';
import { findFault } from './check-answer.ts';
import { Knowledge } from './knowledge.ts';
import { type CallerName, type Plan, planRequests, writeRequest } from './requests.ts';
import { type Answer, openSender, writeCurl } from './send.ts';
import type { FuzzWorld } from './world.ts';

export type Finding = {
  /** The call and what is wrong with its answer. */
  readonly what: string;
  readonly curl: string;
  readonly answer: string;
  /** What the server logged. */
  readonly log: string;
};

export type FuzzReport = {
  readonly requests: number;
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly calls: number;
  /** Calls that never answered with a success, and how often they refused with what. */
  readonly refusedOnly: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly findings: readonly Finding[];
};

export type FuzzLimits = {
  readonly seed: number;
  readonly requests: number;
  readonly minutes: number;
  /** Requests under way at once, each lane with people of its own. */
  readonly lanes: number;
};

/** People sign in anew after so many requests, and the world has moved on. */
const ROUND = 500;
/** Of each lane: what they do at the same time takes no more of it, so that codes last as long as a request. */
const SECONDS_A_REQUEST = 3;
const MOST_FINDINGS = 20;
/** Requests to find a smaller one that fails alike. */
const MOST_SHRINKING = 300;
const NOBODYS_TOKEN = 'q'.repeat(43);

/** Sends requests until one of the limits is reached, and goes on after a finding: the same one is not looked at again. */
export async function fuzz(world: FuzzWorld, { seed, requests, minutes, lanes }: FuzzLimits): Promise<FuzzReport> {
  const end = performance.now() + minutes * 60_000;
  const calls = await readCalls(world.origin);
  const plans = planRequests(calls);
  const notes = openNotes(calls);
  const findings = new Map<string, Finding>();
  let planned = 0;

  async function ride(lane: number): Promise<void> {
    const visit = openVisit(world, calls, notes, SECONDS_A_REQUEST / lanes);
    for (
      let round = lane;
      planned < requests && performance.now() < end && findings.size < MOST_FINDINGS;
      round += lanes
    ) {
      const runs = Math.min(ROUND, requests - planned);
      planned += runs;
      const sent = await visitOnce(visit, round, runs);
      // What a finding or the end of the time left over is for other rounds.
      planned -= runs - sent;
    }
    visit.close();
  }

  /** @returns how many requests it sent */
  async function visitOnce(visit: Visit, round: number, runs: number): Promise<number> {
    await visit.beginRound(round);
    let sent = 0;
    let first: string | undefined;
    let tries = 0;
    let running: Promise<void> | undefined;
    const look = async (plan: Plan) => {
      if (first === undefined) sent += 1;
      else tries += 1;
      if (tries > MOST_SHRINKING) return;
      const finding = await visit.ask(plan);
      if (finding === undefined) return;
      if (first === undefined && findings.has(finding.what)) return;
      if (first !== undefined && finding.what !== first) return;
      first = finding.what;
      findings.set(finding.what, finding);
      throw new Error(finding.what);
    };
    const property = fc.asyncProperty(plans, (plan) => {
      running = look(plan);
      return running;
    });
    await fc.check(property, {
      seed: seed + round,
      numRuns: runs,
      interruptAfterTimeLimit: Math.max(0, end - performance.now()),
    });
    // At the end of the time it is left under way: cut off, it would look like a fault of the server.
    await Promise.allSettled([running]);
    return sent;
  }

  await Promise.all(Array.from({ length: lanes }, (_, lane) => ride(lane)));
  const { statuses, answers } = notes;
  const refusedOnly = new Map([...answers].filter(([, codes]) => !codes.has('success')));
  return { requests: planned, statuses, calls: calls.length, refusedOnly, findings: [...findings.values()] };
}

/** What all lanes learn and count together. */
const openNotes = (calls: readonly Call[]) => ({
  knowledge: new Knowledge(),
  statuses: new Map<number, number>(),
  answers: new Map(calls.map(({ name }) => [name, new Map<string, number>()])),
  /** How many are signing in: a code that takes two calls must not grow old by the requests of others. */
  signingIn: 0,
});
type Notes = ReturnType<typeof openNotes>;

async function holdingClock<T>(notes: Notes, work: () => Promise<T>): Promise<T> {
  notes.signingIn += 1;
  try {
    return await work();
  } finally {
    notes.signingIn -= 1;
  }
}

type Visit = ReturnType<typeof openVisit>;

function openVisit(world: FuzzWorld, calls: readonly Call[], notes: Notes, secondsARequest: number) {
  const { knowledge, statuses, answers } = notes;
  const { send, close } = openSender(world.origin);
  let cast = new Map<CallerName, Person>();
  let round = 0;

  async function ask(plan: Plan): Promise<Finding | undefined> {
    if (notes.signingIn === 0) world.advance(secondsARequest);
    const person = cast.get(plan.caller);
    const secrets = await secretsOf(plan, person);
    const who = nameOf(person);
    const thing = knowledge.choose(plan.call, who, plan.about);
    const sent = writeRequest(plan, (known) => knowledge.resolve(known, who, secrets, thing));
    const token = plan.caller === 'intruder' ? NOBODYS_TOKEN : person?.token;
    const answer = await send(sent, token).catch(
      (error: Error): Answer => ({ status: -1, headers: {}, text: error.message }),
    );
    const call = findCall(calls, sent.method, sent.path.split('?')[0] ?? '') ?? plan.call;
    const fault = answer.status === -1 ? answer.text : findFault(call, answer);
    count(statuses, answer.status);
    if (answer.status === 200) note(call, plan, person, sent, answer);
    const code = answer.status === 200 ? 'success' : (/"code":"(\w+)"/.exec(answer.text)?.[1] ?? 'none');
    count(answers.get(call.name) ?? new Map(), code);
    if (answer.status === 401 && person !== undefined)
      cast.set(plan.caller, await holdingClock(notes, () => replace(world, plan.caller, person, round)));
    if (fault === undefined) return undefined;
    return {
      what: `${call.name}: ${fault}`,
      curl: writeCurl(sent, plan.caller),
      answer: answer.text.slice(0, 500),
      log:
        world.findErrors(String(answer.headers['x-request-id'])) + (answer.status === 0 ? await listWaits(world) : ''),
    };
  }

  /** Strangers sign in and reset passwords: what is right for somebody is right for them. */
  async function secretsOf({ call, caller, about }: Plan, person: Person | undefined) {
    if (call.method === 'GET' || caller === 'intruder') return {};
    const whose = person ?? cast.get(call.path.startsWith('/api/v1/operator') ? 'admin' : 'secured');
    const secrets = whose === undefined ? {} : await findSecrets(world, whose);
    const takesToken = call.body?.properties?.token !== undefined;
    return takesToken ? { ...secrets, token: await findEmailedToken(world, about) } : secrets;
  }

  function note(
    call: Call,
    plan: Plan,
    person: Person | undefined,
    { body, path }: { body: Buffer | undefined; path: string },
    answer: Answer,
  ) {
    if (!String(answer.headers['content-type']).startsWith('application/json')) return;
    const { data } = JSON.parse(answer.text);
    const who = nameOf(person);
    knowledge.learn(call, who, data);
    const query = Object.fromEntries(new URL(path, world.origin).searchParams);
    knowledge.noteSaid(who, { ...query, ...readObject(body) });
    // Whoever sets up an app can confirm it.
    if (person !== undefined && call.path.endsWith('/totp/start'))
      cast.set(plan.caller, { ...person, secret: base32nopad.decode(data.secret) });
  }

  return {
    ask,
    close,
    beginRound: async (next: number) => {
      round = next;
      cast = await holdingClock(notes, () => castAnew(world, round, cast));
    },
  };
}

/** Members know of what is theirs; operators of all. */
const nameOf = (person: Person | undefined): string =>
  person === undefined ? 'stranger' : person.owner.column === 'operator_id' ? 'operator' : `${person.owner.id}`;

const count = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1);

function readObject(body: Buffer | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body?.toString() ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** What the database is busy with, and who waits for whom. */
async function listWaits({ context: { db, reserved = db } }: FuzzWorld): Promise<string> {
  const rows = await listRows(reserved)<object>`
    select now()::text as at, pid, state, wait_event, pg_blocking_pids(pid)::text as waits_for,
      (clock_timestamp() - xact_start)::text as since, left(query, 200) as query
    from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** Accounts of members that owe something: there must never be one. */
export async function countOverdrawn({ context: { db } }: FuzzWorld): Promise<number> {
  const rows = await listRows(db)<{ count: bigint }>`select count(*) as count from ledger.account where balance < 0`;
  return Number(rows[0]?.count);
}
