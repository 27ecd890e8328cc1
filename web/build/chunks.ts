import { join } from 'node:path';
import { callersOf } from './light-endpoints.ts';
import { type Graph, Reach } from './reach.ts';

const source = (path: string) => join(import.meta.dirname, '../src', path);
const signIn = (page: string) => source(`features/sign-in/${page}-page.tsx`);
const memberPage = (page: string) => source(`app/pages/${page}.tsx`);

/**
 * Chunks by name, so that a first visit loads a few files and not fifty. `app` is what everybody needs; `controls`, what
 * the login page is made of; `frame`, what is around a page; `fields`, what the other signed-out pages share with members';
 * `member`, what is around all signed-in pages or in several of those that members open first. Each needs only those before
 * it. Whatever else is shared stays in chunks of its own.
 */
export function nameChunk(id: string, graph: Graph): string | null {
  const callers = callersOf(id);
  if (callers !== undefined) return { strangers: 'app', members: 'member', operators: 'operators' }[callers];
  const sets = setsOf(graph);
  if (sets.app.has(id)) return 'app';
  const isMember = sets.layout.has(id) || sets.pages.filter((page) => page.has(id)).length > 1;
  const isSignedOut = sets.signedOut.some((page) => page.has(id));
  if (sets.login.has(id)) return id === signIn('login') ? null : 'controls';
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
    frame: reach.from(source('app/shell/frame.tsx')),
    layout: reach.from(source('app/shell/layout.tsx')),
    pages: ['dashboard', 'symbol', 'portfolio'].map((page) => reach.from(memberPage(page))),
  };
}
