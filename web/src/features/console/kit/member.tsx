import { Group } from '@mantine/core';
import { consolePath } from '../../../ui/paths.ts';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { TextLink } from '../../../ui/text/text-link.tsx';

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

/** Who it is, leading to their page. */
export function MemberLink({ member }: { member: { id: string; name: string; referral_code: string } }) {
  return (
    <Group gap="4px 12px" align="baseline" justify="space-between" c="dimmed">
      <TextLink to={`${consolePath('members')}/${member.id}`}>{member.name}</TextLink>
      <CodeText>{member.referral_code}</CodeText>
    </Group>
  );
}
