import { CodeText } from '../../../ui/text/code-text.tsx';

/** Name and Registered Id of a member, as two lines of a row. */
export function MemberCell({ member }: { member: { name: string; referral_code: string } }) {
  return (
    <>
      {member.name}
      <small>
        <CodeText>{member.referral_code}</CodeText>
      </small>
    </>
  );
}
