import { z } from 'zod';
import type { RefusalCode } from './refusals.ts';
import { english } from './texts.ts';

const { t } = english;

/** Roles of operator accounts (docs/product.md, section 10). */
export const operatorRoles = ['support', 'finance', 'admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];
/** Roles that may move money and halt trading. */
export const financeRoles = ['finance', 'admin'] as const satisfies readonly OperatorRole[];

/** Who may call: anybody, a signed-in member, or operators of the named roles. */
export type Access = 'public' | 'member' | readonly OperatorRole[];

/**
 * One row of the endpoint table, the only definition of a call: server routes, the web client, OpenAPI and the
 * generated tests all read it.
 */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to `/api/v1`, with `:name` for path parameters. */
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly params?: z.ZodType;
  /** Query values arrive as text; only this schema may turn text into numbers. */
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The shape of `data` in a success reply; without it `data` is null. */
  readonly data?: z.ZodType;
  /** Refusals in addition to those of every call (validation, sign-in, rate limit). */
  readonly refusals?: readonly RefusalCode[];
  /** It moves money or opens an account, accepts `Idempotency-Key`, and the same key returns the first reply again. */
  readonly idempotent?: true;
  /**
   * The media type of the file that the call returns instead of JSON: `text/csv` when the query asks for it, and
   * `application/octet-stream` for uploaded files of any type.
   */
  readonly file?: 'text/csv' | 'application/octet-stream';
  /** The body may be up to 24 MB (files in base64) instead of 64 kB. Never set on public calls. */
  readonly largeBody?: true;
  /**
   * Allowed during support access (docs/product.md, section 8) although it writes, because it only begins or ends that
   * access. The read calls allowed are listed in `contract/operator/support-access.ts`.
   */
  readonly opened?: 'allowed';
  /** A public lookup, rate limited per IP address like sign-ins, so that nobody can enumerate ids. */
  readonly limitedLikeSignIn?: true;
  /**
   * The call brings something personal into the account or changes its credentials: refused with `confirm_identity`
   * until a sign-in whose token came from a link is confirmed (docs/product.md, section 8).
   */
  readonly confirmsIdentity?: true;
  /** The call needs the raw bytes of the body (signed webhooks). */
  readonly rawBody?: true;
  /** Runs on a reserved database connection, so it answers even while other requests hold all the rest. */
  readonly reserved?: true;
  /** Open to operators who have not set up a second factor yet; all other calls refuse them. */
  readonly beforeSecondFactor?: true;
};

/** Checks a row's type and preserves its literal types. */
export const endpoint = <const E extends Endpoint>(row: E): E => row;

export type ParamsOf<E extends Endpoint> = E['params'] extends z.ZodType ? z.output<E['params']> : undefined;
export type QueryOf<E extends Endpoint> = E['query'] extends z.ZodType ? z.output<E['query']> : undefined;
export type BodyOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.output<E['body']> : undefined;
export type DataOf<E extends Endpoint> = E['data'] extends z.ZodType ? z.output<E['data']> : null;
/** The caller's side: before parsing. */
export type ParamsInOf<E extends Endpoint> = E['params'] extends z.ZodType ? z.input<E['params']> : undefined;
export type QueryInOf<E extends Endpoint> = E['query'] extends z.ZodType ? z.input<E['query']> : undefined;
export type BodyInOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined;

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

export const hasNoControl = (value: string): boolean => !CONTROL.test(value);
export const controlMessage = t`Control characters are not allowed.`;

/** Invisible marks that change the text direction of everything after them, even other people's text. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

export const withoutDirection = (text: string): string => text.replaceAll(DIRECTION, '');

/** Anything but white space, invisible marks and the fillers that look like it. */
const VISIBLE = /[^\s\p{C}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u;

/** Text that is not empty and does not look empty. */
export const visibleText = (message: string) =>
  z
    .string()
    .min(1, { error: message, abort: true })
    .refine((text) => VISIBLE.test(text), message);

/** One line of user text: trimmed, control characters refused, direction marks (often pasted) removed, not blank. */
export const line = (maxLength: number, message = t`Fill this in.`) =>
  z
    .string(message)
    .max(maxLength, t`At most ${maxLength} characters.`)
    .refine(hasNoControl, controlMessage)
    .transform((value) => withoutDirection(value).trim())
    .pipe(visibleText(message));

/**
 * Ids are decimal numbers as text, so that no client loses digits. Multiplied by 32, as in the numbering of ledger
 * accounts, they stay below 2^63.
 */
export const id = z.string().regex(/^[1-9]\d{0,16}$/, t`Not an id.`);

/** An instant, ISO 8601 in UTC. */
export const instant = z.iso.datetime();

export const cursorMessage = t`Not a cursor of this list.`;

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
    .regex(/^[A-Za-z0-9_-]{1,200}$/, cursorMessage)
    .optional(),
};

/** The same of a list whose entries have no call of their own: with `id` only that entry, in any state. */
export const pagingOrOne = { ...paging, id: id.optional() };

/** A page of a list; `next_cursor` is null on the last one. */
export const page = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), next_cursor: z.string().nullable(), total: z.number().int().optional() });
