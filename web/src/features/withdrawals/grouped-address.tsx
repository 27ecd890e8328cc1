import { CodeText } from '../../ui/text/code-text.tsx';
import classes from './address.module.css';
import { groupsOfFour } from './withdrawal-labels.ts';

/** A whole address in groups of four for whoever compares it; what is copied from it has no gaps. */
export function GroupedAddress({ address }: { address: string }) {
  return (
    <span className={classes.groups}>
      {groupsOfFour(address).map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of an address never change places
        <CodeText key={index}>{group}</CodeText>
      ))}
    </span>
  );
}
