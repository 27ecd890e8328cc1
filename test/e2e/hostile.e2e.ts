import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makePng } from '#server/tickets/attachment-files.test-setup.ts';
import { TEST_PASSWORD } from '#test/worlds/members.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { openStage } from './stage.ts';
import { anika, call, signInAs } from './steps.ts';
import { openDemoWorld } from './world-in-process.ts';

/**
 * A malicious member writes markup into everything that others read. None of it runs in their browsers; what it does to
 * files, emails and spreadsheets is checked at the server.
 */
const MARKUP = '"\'><img src=x onerror=alert(1)><svg onload=alert(2)><script>alert(3)</script>{{7*7}}';

const stage = openStage(() => openDemoWorld('hostile'));

test('markup in name, device, subject, message and file name is shown as text to every reader', async () => {
  const { origin } = stage.world;
  // Signed up through the API: a form might be stricter.
  const { referral_code: evil } = await call<{ referral_code: string }>(origin, 'auth/register', undefined, {
    referralCode: anika.code,
    mobile_number: '+919876543210',
    name: MARKUP,
    email: 'evil@example.com',
    password: TEST_PASSWORD,
  });
  const { context, page, harm } = await openPage({ userAgent: `Mozilla/5.0 ${MARKUP}` });
  await signInAs(page, evil, TEST_PASSWORD);
  const token = JSON.parse((await page.evaluate(() => localStorage.getItem('accessToken'))) ?? 'null') as string;
  const ticket = await call<{ id: string }>(origin, 'ticket/create', token, {
    subject: MARKUP,
    category: 'other',
    message: MARKUP,
    attachments: [{ name: `${MARKUP}.png`, type: 'image/png', content: makePng().toString('base64') }],
  });
  const operator = await makeOperator(stage.world.context, 'support');
  await call(origin, `operator/tickets/${ticket.id}/reply`, operator.token, { message: MARKUP });

  for (const path of ['/dashboard', '/profile', '/query', `/query/${ticket.id}`, '/team/referral-team'])
    await look(page, path);
  await page.goto(`/query/${ticket.id}`);
  await page.getByRole('log', { name: 'Messages' }).getByText('onerror=alert(1)').first().waitFor();
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page.getByRole('dialog').getByRole('listitem').first().waitFor();
  await context.close();

  const sponsor = await openPage();
  await signInAs(sponsor.page);
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

test('a name of a hundred letters without a space does not widen the statement', async () => {
  const { referral_code: wide } = await call<{ referral_code: string }>(
    stage.world.origin,
    'auth/register',
    undefined,
    {
      referralCode: anika.code,
      mobile_number: '+919876543211',
      name: 'W'.repeat(100),
      email: 'wide@example.com',
      password: TEST_PASSWORD,
    },
  );
  const { context, page } = await stage.openPage();
  await signInAs(page, wide, TEST_PASSWORD);
  await page.goto('/fund/statement');
  await page.getByText('W'.repeat(100)).first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await context.close();
});

test('markup in an address leads to a page that does not exist', async () => {
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
  await signInAs(page);
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

/** What a page must never do, recorded as it happens: run foreign code, try to, or request another server. */
async function openPage(options: { userAgent?: string } = {}) {
  const { context, page } = await stage.openPage(options);
  const harm: string[] = [];
  await context.exposeFunction('tellHarm', (what: string) => harm.push(what));
  await context.addInitScript(() => {
    const { tellHarm } = window as unknown as { tellHarm: (what: string) => void };
    addEventListener('securitypolicyviolation', (event) => tellHarm(`${event.violatedDirective} ${event.blockedURI}`));
  });
  page.on('dialog', (dialog) => {
    harm.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => harm.push(String(error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== stage.world.origin && protocol.startsWith('http')) harm.push(request.url());
  });
  return { context, page, harm };
}

/** Opens a page, waits for its content, and looks for what only foreign markup could have created. */
async function look(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading').first().waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  const made = await page.evaluate(() => document.querySelectorAll('img[src="x"], [onerror], [onload]').length);
  expect({ path, made }).toEqual({ path, made: 0 });
}
