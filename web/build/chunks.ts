import { join } from 'node:path';
import { callersOf } from './light-endpoints.ts';
import { type Graph, Reach } from './reach.ts';

const source = (path: string) => join(import.meta.dirname, '../src', path);
const signIn = (page: string) => source(`features/sign-in/${page}-page.tsx`);
const memberPage = (page: string) => source(`app/pages/${page}.tsx`);

/**
 * Named chunks, so that a first visit loads a few files and not fifty: `app` for every page; `login` for the login page
 * and others; `pages` for all other pages; `frame` for what is around a page; `fields` for what other signed-out pages
 * share with members'; `member` for what is around all signed-in pages or in several of those that members open first.
 * Each needs only those before it. Other shared code stays in its own chunks.
 */
export function nameChunk(id: string, graph: Graph): string | null {
  const callers = callersOf(id);
  if (callers !== undefined) return { strangers: 'app', members: 'member', operators: 'operators' }[callers];
  const sets = setsOf(graph);
  if (sets.app.has(id)) return 'app';
  const firstPages = sets.firstPages.filter((page) => page.has(id)).length;
  const isMember = sets.layout.has(id) || firstPages > 1;
  const isSignedOut = sets.signedOut.some((page) => page.has(id));
  const isElsewhere = sets.pages.has(id) || sets.layout.has(id) || firstPages > 0 || isSignedOut;
  if (sets.login.has(id)) return isElsewhere ? 'login' : null;
  if (sets.pages.has(id)) return 'pages';
  if (sets.frame.has(id)) return 'frame';
  if (!isMember) return null;
  return isSignedOut ? 'fields' : 'member';
}

let known: { readonly graph: Graph; readonly sets: ReturnType<typeof readSets> } | undefined;

function setsOf(graph: Graph) {
  if (known?.graph !== graph) known = { graph, sets: readSets(graph) };
  return known.sets;
}

function readSets(graph: Graph) {
  const reach = new Reach(graph);
  return {
    app: reach.from(source('main.tsx')),
    login: reach.from(signIn('login')),
    signedOut: ['register', 'forgot-password', 'verify-otp', 'reset-password'].map((page) => reach.from(signIn(page))),
    pages: reach.from(source('app/other-pages.tsx')),
    frame: reach.from(source('app/shell/frame.tsx')),
    layout: reach.from(source('app/shell/layout.tsx')),
    firstPages: ['dashboard', 'symbol', 'portfolio'].map((page) => reach.from(memberPage(page))),
  };
}
