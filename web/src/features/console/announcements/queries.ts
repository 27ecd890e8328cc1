import { operatorAnnouncements } from '#contract/endpoints.ts';
import type { AnnouncementProposal } from '#contract/operator/announcements.ts';
import { call } from '../../../api/call.ts';
import type { ApprovalKind } from '../kit/approvals.ts';

export const announcementKind: ApprovalKind<AnnouncementProposal> = {
  key: 'announcements',
  name: 'Proposed announcement',
  list: (query, signal) => call(operatorAnnouncements.listAnnouncementProposals, { query, signal }),
  approve: (params, body) => call(operatorAnnouncements.approveAnnouncement, { params, body }),
  reject: (params, body) => call(operatorAnnouncements.rejectAnnouncement, { params, body }),
  withdraw: (params, body) => call(operatorAnnouncements.withdrawAnnouncement, { params, body }),
  second: 'admin',
  proposers: ['support', 'admin'],
  states: { posted: 'Approved' },
  approves: 'Approving publishes it.',
  texts: () => ({
    approve: 'Every member sees it as it stands, for its period. It can be ended, not edited.',
    reject: 'No member sees it.',
    withdraw: 'Your proposal is withdrawn. No member sees it.',
  }),
  busy: 'Publishing',
  done: 'Announcement published',
};
