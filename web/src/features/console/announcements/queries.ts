import type { AnnouncementProposal } from '#contract/operator/announcements.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import type { ApprovalKind } from '../kit/approvals.ts';

const rows = endpoints.operatorAnnouncements;

export const announcementKind: ApprovalKind<AnnouncementProposal> = {
  key: 'announcements',
  name: 'Proposed announcement',
  list: (query, signal) => call(rows.listAnnouncementProposals, { query, signal }),
  approve: (params, body) => call(rows.approveAnnouncement, { params, body }),
  reject: (params, body) => call(rows.rejectAnnouncement, { params, body }),
  withdraw: (params, body) => call(rows.withdrawAnnouncement, { params, body }),
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
