import type { ReceivedInvitation as Invitation } from '../../../../../gateway/src/identity/console/answers/team.ts';

export type { Invitation };
