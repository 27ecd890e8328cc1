import { Invitation } from '../../entities/member/invitation.tsx';
import { Panel } from '../../ui/frame/panel.tsx';

export const InvitationPanel = ({ referralCode }: { referralCode: string }) => (
  <Panel title="Invitation link">
    <Invitation referralCode={referralCode} />
  </Panel>
);
