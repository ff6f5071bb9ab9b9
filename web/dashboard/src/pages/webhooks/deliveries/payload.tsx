import { type ReactNode, useState } from 'react';
import { t } from '../../../texts/t.ts';
import { Code } from '../../../ui/display/code.tsx';
import { JsonView } from '../../../ui/display/json-view.tsx';
import { Switch } from '../../../ui/form/switch.tsx';
import { Section } from '../../../ui/layout/card.tsx';

/** The body that is sent, laid out for people or byte for byte as it is signed. */
export function Payload({ body }: { body: string }): ReactNode {
  const [raw, setRaw] = useState(false);
  return (
    <Section
      title={t('Body')}
      actions={<Switch label={t('As it is signed')} checked={raw} onChange={setRaw} />}
    >
      {raw ? (
        <Code text={body} label={t('Body, byte for byte')} wraps />
      ) : (
        <JsonView text={body} label={t('Body')} />
      )}
    </Section>
  );
}
