import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Code } from '../../../ui/display/code.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import type { OpenedMail } from './queries.ts';

/** The text of one mail. The staff log records that it was read. */
export function MailDrawer({ mail, onClose }: { mail: OpenedMail; onClose: () => void }): ReactNode {
  return (
    <Drawer open onClose={onClose} title={mail.subject}>
      <DefinitionList facts={[[t('To'), mail.recipient]]} />
      <Banner tone="waiting">
        {t(
          'Whoever has a link of a mail can use it: pass links to the recipient only. The staff log records that you read this mail.',
        )}
      </Banner>
      <Code text={mail.text} label={t('Text')} wraps />
    </Drawer>
  );
}
