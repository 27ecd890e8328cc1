import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    brandName: string;
  }
}

/** A browser navigation; programs and the app itself request JSON. */
export const isNavigation = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !url.startsWith('/api/') &&
  (headers.accept?.includes('text/html') ?? false);

const MIN_WAIT_SECONDS = 5;

type Words = { readonly title: string; readonly text: string };
const passing: Record<number, Words> = {
  429: { title: 'Too many requests', text: 'Your network sent too many requests in one minute.' },
  503: { title: 'Temporarily unavailable', text: 'The app is busy or being updated. Your money is not affected.' },
};
const lasting: Record<number, Words> = {
  404: {
    title: 'This page does not exist',
    text: 'Check the address for typing errors, or start from the start page.',
  },
  500: {
    title: 'This page could not be loaded',
    text: 'Something went wrong on our side. Your money is not affected. Try again in a minute.',
  },
};
const unreadable: Words = { title: 'Invalid address', text: 'Check the address for typing errors or a missing part.' };

/**
 * The page for a refused navigation, in the app's design. It needs no other file, which the server might refuse, too;
 * without the script that sets the chosen theme it is dark, the default. Temporary failures reload by a header, because
 * the policy permits no inline scripts.
 */
export function sendFailurePage(reply: FastifyReply, status: number): FastifyReply {
  const words = passing[status];
  if (words !== undefined) {
    const seconds = Math.max(Number(reply.getHeader('retry-after') ?? 0), MIN_WAIT_SECONDS);
    reply.header('retry-after', String(seconds)).header('refresh', String(seconds));
    const again = `This page reloads in ${seconds} seconds.`;
    return sendPage(reply, status, words.title, `${words.text} ${again}`, '<a href="">Reload now</a>');
  }
  const { title, text } = lasting[status] ?? unreadable;
  return sendPage(reply, status, title, text, '<a href="/">Go to the start page</a>');
}

function sendPage(reply: FastifyReply, status: number, title: string, text: string, action: string): FastifyReply {
  const brandName = escapeHtml(reply.server.brandName);
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(String)
    .send(`<!doctype html>
<html lang="en" data-mantine-color-scheme="dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${brandName}</title>
<script src="/theme.js"></script>
<style>${style}</style>
</head>
<body>
<header>${sails}<b>${brandName}</b></header>
<main>
<span class="icon" aria-hidden="true">${warning}</span>
<h1>${title}</h1>
<p>${text}</p>
${action}
</main>
</body>
</html>
`);
}

const sails =
  '<svg viewBox="0 0 28 28" width="26" height="26" aria-hidden="true"><path fill="var(--accent)" d="M13.6 2.8c5.6 4.1 9.2 9.3 10.1 15.4-3.2.9-6.6 1.2-10.1 1z"/><path fill="var(--accent)" opacity=".5" d="M11.2 8.4v10.6c-2.5-.2-4.8-.6-6.9-1.2 3.3-2.3 5.6-5.4 6.9-9.4z"/><path fill="none" stroke="var(--text)" stroke-width="1.9" stroke-linecap="round" d="M3.5 23.2c3.6-1.6 6.7-1.5 10 0s6.9 1.6 11-.6"/></svg>';
const warning =
  '<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"><path d="M12 9v4M12 16h.01M10.360 3.590 2.260 17.130a1.910 1.910 0 0 0 1.640 2.870h16.200a1.910 1.910 0 0 0 1.640-2.870L13.640 3.590a1.910 1.910 0 0 0-3.280 0z"/></svg>';

/** Values of web/src/api/tokens.ts. */
const style = `
:root{color-scheme:dark;--bg:#0a0f17;--line-strong:#33425a;--text:#e8edf4;--text-2:#aab6c7;--accent:#2fc4bc;--accent-fill:#2bbab2;--accent-hover:#4ad3cb;--on-accent:#041c1b;--loss:#f36b8b}
:root[data-mantine-color-scheme="light"]{color-scheme:light;--bg:#f5f7fa;--line-strong:#c5cfdb;--text:#0f1827;--text-2:#435066;--accent:#0a706d;--accent-fill:#0b7774;--accent-hover:#085b59;--on-accent:#fff;--loss:#bc2557}
*{box-sizing:border-box}
body{display:flex;flex-direction:column;min-height:100vh;margin:0;background:var(--bg);color:var(--text);font:400 14px/20px "Inter Variable",Inter,ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header{display:flex;align-items:center;gap:10px;padding:16px 24px;font-size:17px;letter-spacing:-.02em}
header b{font-weight:600}
main{display:flex;flex:1;flex-direction:column;align-items:center;justify-content:center;gap:4px;padding:48px 32px;text-align:center}
.icon{display:grid;width:44px;height:44px;margin-bottom:12px;border:1px solid var(--line-strong);border-radius:10px;color:var(--loss);place-items:center}
h1{margin:0;font-size:14px;font-weight:600}
p{max-width:320px;margin:0;color:var(--text-2);font-size:13px}
a{display:inline-flex;align-items:center;min-height:36px;margin-top:16px;padding:0 16px;border-radius:8px;background:var(--accent-fill);color:var(--on-accent);font-weight:600;text-decoration:none}
a:hover{background:var(--accent-hover)}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (max-width:480px){header{padding:16px}a{min-height:44px}}
`;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
