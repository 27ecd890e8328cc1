import type { Call, Schema } from './calls.ts';
import { findUsual } from './usual-values.ts';
import type { Known, Value } from './values.ts';

/** An object in a reply. */
export type Thing = Readonly<Record<string, unknown>>;
type Seen = { readonly path: string; readonly who: string; readonly thing: Thing };

const MAX_ITEMS = 3000;
const MAX_VALUES = 60;
/** Only the first rows of a list are read. */
const MAX_ROWS = 6;
/** An object is similar to a body if they share this many fields. */
const LIKENESS = 3;

/** Fields whose values come from a field of another name. */
const aliases: Readonly<Record<string, string>> = { cursor: 'next_cursor', tradeId: 'symbol' };

/** What earlier replies contained: objects with ids, values by field name, and what each caller has sent. */
export class Knowledge {
  /** In order of last occurrence. */
  readonly #seen = new Map<string, Seen>();
  readonly #values = new Map<string, (string | number)[]>();
  readonly #said = new Map<string, Map<string, string | number>>();

  /** Learns from the reply to a call. */
  learn({ path }: Call, who: string, answer: unknown): void {
    if (Array.isArray(answer)) for (const item of answer.slice(0, MAX_ROWS)) this.learn({ path } as Call, who, item);
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return;
    this.#note({ path, who, thing: answer as Thing });
    for (const [name, field] of Object.entries(answer)) {
      if (typeof field === 'string' || typeof field === 'number') {
        const values = this.#values.get(name) ?? [];
        this.#values.set(name, values);
        values.push(field);
        values.splice(0, values.length - MAX_VALUES);
      } else this.learn({ path } as Call, who, field);
    }
  }

  #note(seen: Seen): void {
    const { id, name, symbol, day } = seen.thing;
    const key = `${seen.path} ${seen.who} ${id ?? name ?? symbol ?? day ?? ''}`;
    this.#seen.delete(key);
    this.#seen.set(key, seen);
    if (this.#seen.size > MAX_ITEMS) this.#seen.delete(this.#seen.keys().next().value as string);
  }

  /** Remembers the fields of an accepted request: a code is valid only for the amount it was requested for. */
  noteSaid(who: string, fields: Thing): void {
    const said = this.#said.get(who) ?? new Map<string, string | number>();
    this.#said.set(who, said);
    for (const [name, value] of Object.entries(fields))
      if (typeof value === 'string' || typeof value === 'number') said.set(name, value);
  }

  /** Chooses the object of a request: usually one from a related call of the same caller, sometimes any. */
  choose({ path, params, body }: Call, who: string, about: number): Thing | undefined {
    const seen = [...this.#seen.values()];
    const [param] = Object.keys(params);
    if (param === undefined) return chooseLike(seen, path, body, about);
    const base = path.slice(0, path.indexOf('/{'));
    const parts = base.split('/');
    const bases = [base, parts.slice(0, -1).join('/'), parts.slice(0, 4).join('/')].filter((one) => one.length > 8);
    const having = seen.filter(({ thing }) => param in thing);
    for (const from of about % 8 === 0 ? [''] : [...bases, '']) {
      const near = having.filter((one) => one.path.startsWith(from));
      const own = near.filter((one) => one.who === who);
      const found = own.length > 0 && about % 4 !== 0 ? own : near;
      const chosen = found[about % Math.max(1, found.length)];
      if (chosen !== undefined) return near.findLast(({ thing }) => thing[param] === chosen.thing[param])?.thing;
    }
    return undefined;
  }

  /** @param secrets valid values of the caller; @param thing the object of the request */
  resolve(
    known: Known,
    who: string,
    secrets: Readonly<Record<string, Value | undefined>>,
    thing: Thing | undefined,
  ): Value {
    const { name, pick, isNumber, otherwise } = known;
    if (pick % 16 === 15) return otherwise;
    const secret = secrets[name];
    if (secret !== undefined) return secret;
    const said = this.#said.get(who)?.get(name);
    const usual = pick % 3 === 0 && said !== undefined ? undefined : findUsual(name, pick);
    if (usual !== undefined) return typeof usual === 'number' && !isNumber ? String(usual) : usual;
    const alias = aliases[name] ?? name;
    // Free texts and amounts are invented half of the time.
    const isMadeUp =
      pick % 2 === 0 && thing?.[alias] === undefined && !/id$|version|cursor|day|symbol|token/i.test(name);
    const found =
      (pick % 3 === 0 ? said : undefined) ?? thing?.[alias] ?? (isMadeUp ? otherwise : this.#find(alias, pick));
    if (typeof found !== 'string' && typeof found !== 'number') return otherwise;
    return isNumber ? Number(found) : String(found);
  }

  #find(name: string, pick: number): unknown {
    const values = this.#values.get(name);
    if (values !== undefined) return values[pick % values.length];
    // `member_id` and `ticketId` are ids in replies of member and ticket calls.
    const [, kind] = /^([a-z]+)(?:_id|Id)$/.exec(name) ?? [];
    if (kind === undefined) return undefined;
    const things = [...this.#seen.values()].filter(({ path, thing }) => path.includes(kind) && 'id' in thing);
    return things[pick % Math.max(1, things.length)]?.thing.id;
  }
}

/** An object similar to the requested body, such as today's fee plan for a new one. */
function chooseLike(seen: readonly Seen[], path: string, body: Schema | undefined, about: number): Thing | undefined {
  if (body === undefined || about % 2 === 0) return undefined;
  const names = listNames(body);
  const area = path.split('/').slice(0, 5).join('/');
  const like = seen.filter(
    (one) => one.path.startsWith(area) && names.filter((name) => name in one.thing).length >= LIKENESS,
  );
  return like[about % Math.max(1, like.length)]?.thing;
}

const listNames = (schema: Schema): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [name, ...listNames(field)]);
