import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { Drawer } from '../../ui/dialog/drawer.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { Id } from '../../ui/display/code.tsx';
import { DefinitionList } from '../../ui/display/definition-list.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { type AuditEntry, type Difference, differencesOf } from './entry.ts';

const actorKinds = {
  account: t('a person'),
  user: t('a user of a wallet'),
  key: t('an API key'),
  command: t('the command line'),
  gateway: t('the gateway itself'),
  stranger: t('nobody who was signed in'),
} as const;

export type AuditDrawerProps = {
  entry: AuditEntry;
  integrationName?: (id: string) => string;
  onClose: () => void;
};

/** One entry of an audit log: who, what, from which address, and the values before and after. */
export function AuditDrawer({ entry, integrationName, onClose }: AuditDrawerProps): ReactNode {
  const { actor, action, at, integration_id, subject } = entry;
  const differences = differencesOf(entry);
  return (
    <Drawer
      open
      onClose={onClose}
      title={<span className="block first-letter:uppercase">{ofGateway(action)}</span>}
      aside={actor.as_operator && <Badge>{t('Staff')}</Badge>}
    >
      <DefinitionList
        facts={[
          [t('When'), <Time key="at" at={at} exact />],
          [t('Who'), actor.name],
          [t('By means of'), actorKinds[actor.kind]],
          [t('From'), actor.address],
          [
            t('Integration'),
            integration_id === null || !integrationName ? null : integrationName(integration_id),
          ],
          [
            t('The {kind}', { kind: ofGateway(subject.kind) }),
            <span key="id" className="grid">
              {subject.name}
              <Id text={subject.id} what={t('its id')} length={24} />
            </span>,
          ],
        ]}
      />
      <Section title={t('What changed')}>
        {differences.length === 0 ? (
          <p className="text-sm text-quiet">{t('No values changed.')}</p>
        ) : (
          <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
            {differences.map((difference) => (
              <Change key={difference.name} {...difference} isPair={!!entry.before && !!entry.after} />
            ))}
          </ul>
        )}
      </Section>
    </Drawer>
  );
}

function Change({ name, before, after, changed, isPair }: Difference & { isPair: boolean }): ReactNode {
  return (
    <li className="grid gap-1 px-4 py-2.5">
      <span className="text-quiet first-letter:uppercase">{name}</span>
      {isPair && changed ? (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
          <del className="text-quiet">{before ?? t('nothing')}</del>
          <ArrowRight size={14} aria-label={t('became')} className="shrink-0 text-quiet" />
          <ins className="font-semibold no-underline">{after ?? t('nothing')}</ins>
        </span>
      ) : (
        <span className="wrap-anywhere">
          {after ?? before ?? '–'}
          {isPair && <span className="text-quiet"> {t('(as before)')}</span>}
        </span>
      )}
    </li>
  );
}
