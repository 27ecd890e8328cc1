import type { Context } from '#server/context.ts';

/** Where a page of the console is, for mails. */
export function consoleUrl({ config }: Pick<Context, 'config'>, page: 'invitation' | 'operators'): string {
  return `${config.publicUrl ?? `http://${config.host}:${config.port}`}/operator/${page}`;
}
