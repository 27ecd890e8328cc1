import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** What a call gets instead of its normal reply. */
export type Interference =
  /** The call is not executed and gets this reply. */
  | Answer
  /** The connection breaks before, or after, the call is executed. */
  | 'break'
  | 'do_and_break'
  /** The call is executed, but no reply is ever sent. */
  | 'do_and_hang'
  /** The call is executed, but half of the reply is sent, or the page of a proxy. */
  | 'do_and_cut'
  | 'do_and_html'
  /** The call is held until `deliverLate`; the caller gets no reply. */
  | 'delay';

/** An HTTP server on 127.0.0.1 that can stop and restart at the same address; it does not keep the process alive. */
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

/** Answers a call, or applies the first planned interference for it, which is then removed. */
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
  else if (interference === 'do_and_html') response.writeHead(200).end('<html>Back soon</html>');
  else if (interference === 'do_and_cut') response.writeHead(answer.status).end(halfOf(answer));
  else sendAnswer(response, answer);
}

function halfOf({ body }: Answer): string {
  const text = JSON.stringify(body);
  return text.slice(0, text.length / 2);
}

export function sendAnswer(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, { 'content-type': 'application/json;charset=UTF-8', ...answer.headers });
  response.end(JSON.stringify(answer.body));
}
