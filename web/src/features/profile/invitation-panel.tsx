import { Invitation } from '../../shared/invitation/invitation.tsx';
import { Panel } from '../../shared/ui/panel.tsx';

export const InvitationPanel = ({ referralCode }: { referralCode: string }) => (
  <Panel title="Invitation link">
    <Invitation referralCode={referralCode} />
  </Panel>
);
