import { formatCount } from '../../../ui/format/number.ts';

/** `1 trade`, `1,204 trades`. The console is in English only. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
