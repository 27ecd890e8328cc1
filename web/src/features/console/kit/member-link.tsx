import { CodeText } from '../../../ui/code-text.tsx';
import { consolePath } from '../../../ui/paths.ts';
import { TextLink } from '../../../ui/text-link.tsx';
import classes from './member-link.module.css';

/** Who it is, leading to their page. */
export function MemberLink({ member }: { member: { id: string; name: string; referral_code: string } }) {
  return (
    <div className={classes.member}>
      <TextLink to={`${consolePath('members')}/${member.id}`}>{member.name}</TextLink>
      <span>
        <CodeText>{member.referral_code}</CodeText>
      </span>
    </div>
  );
}
