import type { ReactNode } from 'react';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Code } from '../../../ui/display/code.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';

export type OpenedMail = { recipient: string; subject: string; text: string };

/** The words of one mail, whose reading was noted. */
export function MailDrawer({ mail, onClose }: { mail: OpenedMail; onClose: () => void }): ReactNode {
  return (
    <Drawer open onClose={onClose} title={mail.subject}>
      <DefinitionList facts={[['To', mail.recipient]]} />
      <Banner tone="waiting">
        Links in a mail let people in: give them to nobody but its recipient. That you read this stands in the
        staff log.
      </Banner>
      <Code text={mail.text} label="Words" />
    </Drawer>
  );
}
