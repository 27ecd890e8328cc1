import { CodeText } from '../../../ui/code-text.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { consolePages, consolePath } from '../pages.ts';
import classes from './member-link.module.css';

/** Who it is, leading to their page. */
export function MemberLink({ member }: { member: { id: string; name: string; referral_code: string } }) {
  const hasPage = consolePages.some(({ path }) => path === 'members');
  return (
    <div className={classes.member}>
      {hasPage ? <TextLink to={`${consolePath('members')}/${member.id}`}>{member.name}</TextLink> : member.name}
      <span>
        <CodeText>{member.referral_code}</CodeText>
      </span>
    </div>
  );
}
