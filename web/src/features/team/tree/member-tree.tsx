import type { CSSProperties, ReactNode } from 'react';
import classes from './tree.module.css';
import { TreeHead } from './tree-row.tsx';
import type { Tree } from './use-tree.ts';

/** The frame of a tree: heads, and the items. The deeper it is open, the wider it is; then it scrolls sideways. */
export function MemberTree({ tree, label, children }: { tree: Tree; label: string; children: ReactNode }) {
  return (
    <div className={classes.scroll}>
      <div className={classes.frame} style={{ '--deepest': tree.depth } as CSSProperties}>
        <TreeHead />
        <div role="tree" className={classes.tree} aria-label={label} ref={tree.root} {...tree.handlers}>
          {children}
        </div>
      </div>
    </div>
  );
}
