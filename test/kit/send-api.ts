export type ApiRequest = {
  /** By default GET, or POST with a body. */
  readonly method?: string;
  readonly token?: string | undefined;
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** One request to a server process; `path` is relative to `/api/v1` unless it begins with `/`. */
export function sendApi(origin: string, path: string, request: ApiRequest = {}): Promise<Response> {
  const { method, token, body, headers, signal } = request;
  return fetch(path.startsWith('/') ? `${origin}${path}` : `${origin}/api/v1/${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The same where the call must succeed. @returns its data */
export async function callApi<T>(origin: string, path: string, request?: ApiRequest): Promise<T> {
  const reply = await sendApi(origin, path, request);
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}
