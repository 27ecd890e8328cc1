import { z } from 'zod';
import type { RefusalCode } from './refusals.ts';
import { english } from './texts.ts';

const { t } = english;

/** Roles of operator accounts (docs/product.md, section 10). */
export const operatorRoles = ['support', 'finance', 'admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];
/** Who may move money, and stop trading. */
export const financeRoles = ['finance', 'admin'] as const satisfies readonly OperatorRole[];

/** Who may call: anybody, a signed-in member, or operators of the named roles. */
export type Access = 'public' | 'member' | readonly OperatorRole[];

/**
 * One row of the endpoint table. Server routes, the web client, OpenAPI and the generated tests all read this;
 * nothing about a call is written down twice.
 */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to `/api/v1`, with `:name` for path parameters. */
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly params?: z.ZodType;
  /** Query values arrive as text; only here may a schema turn text into numbers. */
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The shape of `data` in a success reply; null without one. */
  readonly data?: z.ZodType;
  /** Refusals beyond those every call has (validation, sign-in, rate limit). */
  readonly refusals?: readonly RefusalCode[];
  /** The call moves money: it takes `Idempotency-Key` and the same key gives the first answer again. */
  readonly idempotent?: true;
  /**
   * The media type of the file that the call answers with instead: `text/csv` when its query asks for it, and
   * `application/octet-stream` for bytes that somebody sent, whatever they are.
   */
  readonly file?: 'text/csv' | 'application/octet-stream';
  /** The body may be up to 24 MB (files in base64) instead of 64 kB. Never for calls that strangers may make. */
  readonly largeBody?: true;
  /**
   * Support access (docs/product.md, section 8) makes the call although it writes: it begins or ends only that. Which
   * readings it makes stands in `contract/operator/support-access.ts`.
   */
  readonly opened?: 'allowed';
  /** A look-up for strangers, limited per address like their sign-ins: nobody runs through the ids with it. */
  readonly limitedLikeSignIn?: true;
  /**
   * Brings something of a person's into the account, or changes who holds it: refused with `confirm_identity` while a
   * sign-in that came with an address is not confirmed (docs/product.md, section 8).
   */
  readonly confirmsIdentity?: true;
  /** The call needs the bytes of the body as they came (signed webhooks). */
  readonly rawBody?: true;
  /** Answers on a database connection that is kept for it, also while requests hold all others. */
  readonly reserved?: true;
  /** Operators may call it who have not set up their second factor: all other calls refuse them. */
  readonly beforeSecondFactor?: true;
};

/** Keeps the literal types of a row while checking its form. */
export const endpoint = <const E extends Endpoint>(row: E): E => row;

export type ParamsOf<E extends Endpoint> = E['params'] extends z.ZodType ? z.output<E['params']> : undefined;
export type QueryOf<E extends Endpoint> = E['query'] extends z.ZodType ? z.output<E['query']> : undefined;
export type BodyOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.output<E['body']> : undefined;
export type DataOf<E extends Endpoint> = E['data'] extends z.ZodType ? z.output<E['data']> : null;
/** What a caller writes: query before it is parsed. */
export type QueryInOf<E extends Endpoint> = E['query'] extends z.ZodType ? z.input<E['query']> : undefined;
export type BodyInOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined;

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

export const hasNoControl = (value: string): boolean => !CONTROL.test(value);
export const controlMessage = t`Control characters are not allowed.`;

/** Invisible marks that turn the direction of whatever is written behind them, also that of others' words. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

/** One line of text from a person: trimmed, no control characters, and without marks of direction, which may be pasted along. */
export const line = (maxLength: number, message = t`Fill this in.`) =>
  z
    .string(message)
    .max(maxLength, t`At most ${maxLength} characters.`)
    .refine(hasNoControl, controlMessage)
    .transform((value) => value.replaceAll(DIRECTION, '').trim())
    .pipe(z.string().min(1, message));

/**
 * Ids are decimal numbers written as text, so that no client loses digits. Times 32, which accounts of the ledger are numbered
 * by, they are below 2^63.
 */
export const id = z.string().regex(/^[1-9]\d{0,16}$/, t`Not an id.`);

/** An instant, ISO 8601 in UTC. */
export const instant = z.iso.datetime();

/** Paging of every list call: `?limit=&cursor=`. */
export const paging = {
  limit: z
    .string()
    .regex(/^\d{1,3}$/, t`A number from 1 to 100.`)
    .transform(Number)
    .pipe(z.number().min(1, t`A number from 1 to 100.`).max(100, t`A number from 1 to 100.`))
    .default(25),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,200}$/, t`Not a cursor of this list.`)
    .optional(),
};

/** A page of a list; `next_cursor` is null on the last one. */
export const page = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), next_cursor: z.string().nullable(), total: z.number().int().optional() });
