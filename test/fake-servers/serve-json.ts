import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** What happens to a call instead of its answer. */
export type Interference =
  /** It is answered with this and not done. */
  | Answer
  /** The connection breaks: before it was done, or after. */
  | 'break'
  | 'do_and_break'
  /** No answer ever comes, though it was done. */
  | 'do_and_hang'
  /** It is on its way until somebody delivers it; the caller gets no answer. */
  | 'delay';

/** An HTTP server on 127.0.0.1 that can go away and come back at the same address; it keeps no process from its end. */
export async function startNodeServer(handle: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const server = createServer(handle).unref();
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, goAway: stop, comeBack: () => listen(port), close: stop };
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

type Planned<Call extends string> = { readonly call: Call; readonly with: Interference };

/** Answers a call, unless something else was planned for it: that takes the first call it names and is gone. */
export function answerOrInterfere<Call extends string>(
  interferences: Planned<Call>[],
  call: Call,
  response: ServerResponse,
  run: () => Answer,
  onSilence: (interference: 'do_and_hang' | 'delay') => void = () => {},
): void {
  const index = interferences.findIndex((planned) => planned.call === call);
  const interference = index < 0 ? undefined : interferences.splice(index, 1)[0]?.with;
  const answer = interference === undefined || String(interference).startsWith('do_') ? run() : interference;
  if (interference === 'delay' || interference === 'do_and_hang') onSilence(interference);
  else if (typeof answer === 'string' || interference === 'do_and_break') response.destroy();
  else sendAnswer(response, answer);
}

export function sendAnswer(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, { 'content-type': 'application/json;charset=UTF-8', ...answer.headers });
  response.end(JSON.stringify(answer.body));
}
