import { base32nopad } from '@scure/base';
import fc from 'fast-check';
import { listRows } from '#server/db/rows.ts';
import { type Call, findCall, readCalls } from './calls.ts';
import { findFault } from './check-answer.ts';
import { Knowledge } from './knowledge.ts';
import { findEmailedToken, findSecrets, type Person, renewPeople, replace } from './people.ts';
import { type CallerName, type Plan, planRequests, writeRequest } from './requests.ts';
import { type Answer, openSender, writeCurl } from './send.ts';
import type { FuzzWorld } from './world.ts';

export type Finding = {
  /** The call and the fault of its reply. */
  readonly what: string;
  readonly curl: string;
  readonly answer: string;
  /** The server's log of the request. */
  readonly log: string;
};

export type FuzzReport = {
  readonly requests: number;
  /** Number of replies by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Of every call, the number of replies by refusal code, or `success`. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly findings: readonly Finding[];
};

export type FuzzLimits = {
  readonly seed: number;
  readonly requests: number;
  readonly minutes: number;
  /** Number of parallel lanes, each with its own people. */
  readonly lanes: number;
};

/** After this many requests everyone signs in again. */
const ROUND = 500;
/** Clock time of a request in its lane: parallel lanes divide it among them, so that codes outlive a request. */
const SECONDS_A_REQUEST = 3;
const MAX_FINDINGS = 20;
/** Requests spent on reducing a finding to a smaller request. */
const MAX_SHRINKING = 300;
const NOBODYS_TOKEN = 'q'.repeat(43);

/** Sends requests until a limit is reached. Continues after a finding, which is reported once. */
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
      planned < requests && performance.now() < end && findings.size < MAX_FINDINGS;
      round += lanes
    ) {
      const runs = Math.min(ROUND, requests - planned);
      planned += runs;
      const sent = await visitOnce(visit, round, runs);
      // Requests left over by a finding or the end of the time go to other rounds.
      planned -= runs - sent;
    }
    visit.close();
  }

  /** @returns the number of requests sent */
  async function visitOnce(visit: Visit, round: number, runs: number): Promise<number> {
    await visit.beginRound(round);
    let sent = 0;
    let first: string | undefined;
    let tries = 0;
    let running: Promise<void> | undefined;
    const look = async (plan: Plan) => {
      if (first === undefined) sent += 1;
      else tries += 1;
      if (tries > MAX_SHRINKING) return;
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
    // The last request may finish: aborting it would look like a fault of the server.
    await Promise.allSettled([running]);
    return sent;
  }

  await Promise.all(Array.from({ length: lanes }, (_, lane) => ride(lane)));
  const { statuses, answers } = notes;
  return { requests: planned, statuses, answers, findings: [...findings.values()] };
}

/** Shared by all lanes. */
const openNotes = (calls: readonly Call[]) => ({
  knowledge: new Knowledge(),
  statuses: new Map<number, number>(),
  answers: new Map(calls.map(({ name }) => [name, new Map<string, number>()])),
  /** Sign-ins in progress: while one is, requests must not advance the clock and age its code. */
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
    count(answers.get(call.name) ?? new Map(), answer.status === 200 ? 'success' : readRefusal(answer.text));
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

  /** For callers without an account, who sign in and reset passwords, somebody else's valid values are used. */
  async function secretsOf({ call, caller, about }: Plan, person: Person | undefined) {
    if (call.method === 'GET' || caller === 'intruder') return {};
    const whose = person ?? cast.get(call.path.startsWith('/api/v1/operator') ? 'admin' : 'secured');
    const secrets: Record<string, string | undefined> = whose === undefined ? {} : await findSecrets(world, whose);
    // Whoever is signed in changes to another address.
    const { email: _own, ...others } = secrets;
    const known = person === undefined ? secrets : others;
    const takesToken = call.body?.properties?.token !== undefined;
    return takesToken ? { ...known, token: await findEmailedToken(world, about) } : known;
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
    // Lets whoever starts setting up an app also confirm it.
    if (person !== undefined && call.path.endsWith('/totp/start'))
      cast.set(plan.caller, { ...person, secret: base32nopad.decode(data.secret) });
  }

  return {
    ask,
    close,
    beginRound: async (next: number) => {
      round = next;
      cast = await holdingClock(notes, () => renewPeople(world, round, cast));
    },
  };
}

/** The key of a caller's knowledge: each member has their own, all operators share one. */
const nameOf = (person: Person | undefined): string =>
  person === undefined ? 'stranger' : person.owner.column === 'operator_id' ? 'operator' : `${person.owner.id}`;

const count = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1);

/** `validation amount`: the code and, of a refused field, its name. */
function readRefusal(text: string): string {
  const [code, field] = [/"code":"(\w+)"/, /"field":"([\w.]+)"/].map((pattern) => pattern.exec(text)?.[1]);
  return [code ?? 'none', ...(field === undefined ? [] : [field])].join(' ');
}

function readObject(body: Buffer | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body?.toString() ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Running queries and lock waits of the database. */
async function listWaits({ context: { db, reserved = db } }: FuzzWorld): Promise<string> {
  const rows = await listRows(reserved)<object>`
    select now()::text as at, pid, state, wait_event, pg_blocking_pids(pid)::text as waits_for,
      (clock_timestamp() - xact_start)::text as since, left(query, 200) as query
    from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** Counts accounts with a negative balance, of which there must be none. */
export async function countOverdrawn({ context: { db } }: FuzzWorld): Promise<number> {
  const rows = await listRows(db)<{ count: bigint }>`select count(*) as count from ledger.account where balance < 0`;
  return Number(rows[0]?.count);
}
