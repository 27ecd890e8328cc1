import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { branchQuery } from '../queries.ts';
import type { Tree } from './use-tree.ts';

/**
 * The loaded direct referrals of `of` (undefined is the caller), and how to load more. The button for more disappears
 * with the last page, so the focus moves to the first new item.
 */
export function useBranch(tree: Tree, path: string, of: string | undefined, directs: number) {
  const query = useInfiniteQuery(branchQuery(of));
  const members = query.data?.pages.flatMap(({ items }) => items);
  const count = members?.length ?? 0;
  const asked = useRef<number>(undefined);

  useEffect(() => {
    const first = asked.current === undefined ? undefined : members?.[asked.current];
    if (first === undefined) return;
    asked.current = undefined;
    tree.moveTo(`${path}/${first.id}`);
  });

  return {
    query,
    members,
    total: Math.max(directs, count),
    /** How many are not loaded yet. */
    more: query.hasNextPage ? Math.max(directs - count, 1) : 0,
    loadMore: () => {
      if (query.isFetchingNextPage) return;
      asked.current = count;
      void query.fetchNextPage();
    },
  };
}
