import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export type Received = { readonly recipients: string[]; readonly content: string };

/**
 * A real SMTP server on a loopback port for tests. Recipients at `reject.example` are refused permanently, those at
 * `later.example` deferred. Senders at `refused.example` are refused for every recipient.
 */
export async function startEmailServer(port = 0) {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    // Senders keep the connection for the next email, and by default closing waits half a minute for them.
    closeTimeout: 100,
    onMailFrom: ({ address }, _session, callback) =>
      callback(
        address.endsWith('@refused.example') ? Object.assign(new Error('not yours'), { responseCode: 550 }) : null,
      ),
    onRcptTo: ({ address }, _session, callback) => {
      const code = address.endsWith('@reject.example') ? 550 : address.endsWith('@later.example') ? 451 : undefined;
      callback(code === undefined ? null : Object.assign(new Error(`no ${address}`), { responseCode: code }));
    },
    onData: (stream, session, callback) => {
      text(stream).then((content) => {
        received.push({ recipients: session.envelope.rcptTo.map((recipient) => recipient.address), content });
        callback(null);
      }, callback);
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  server.server.unref();
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    received,
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
