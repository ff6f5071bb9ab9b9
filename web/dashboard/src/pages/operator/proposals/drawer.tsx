import { type ReactNode, useState } from 'react';
import { ofGateway } from '../../../texts/of-gateway.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Id } from '../../../ui/display/code.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { differencesOf } from '../../audit/entry.ts';
import { type Ending, endProposal, type Proposal } from './queries.ts';
import { stateOf } from './words.ts';

const endings: Record<Ending, { label: string; title: string; about: string; done: string }> = {
  confirm: {
    label: t('Confirm'),
    title: t('Confirm this?'),
    about: t('It is done at once. Ask whoever asked for it when you did not expect it.'),
    done: t('Confirmed, and done'),
  },
  refuse: {
    label: t('Refuse'),
    title: t('Refuse this?'),
    about: t('It is not done. The other operators get a mail.'),
    done: t('Refused'),
  },
  cancel: {
    label: t('Cancel it'),
    title: t('Cancel what you asked for?'),
    about: t('It is not done. You can ask again.'),
    done: t('Cancelled'),
  },
};

/** One proposal: who asked for what, the values before and after, and its end. */
export function ProposalDrawer({
  proposal,
  onClose,
}: {
  proposal: Proposal;
  onClose: () => void;
}): ReactNode {
  const [ending, setEnding] = useState<Ending | null>(null);
  const { title, subject, integration, asked_by, asked_at, due_at, expires_at, state, is_own } = proposal;
  const choices: Ending[] = is_own ? ['cancel'] : ['refuse', 'confirm'];
  const chosen = ending && endings[ending];
  return (
    <Drawer
      open
      onClose={onClose}
      title={title}
      footer={
        state === 'open' &&
        choices.map((each) => (
          <Button
            key={each}
            variant={each === 'confirm' ? 'primary' : 'quiet'}
            onClick={() => setEnding(each)}
          >
            {endings[each].label}
          </Button>
        ))
      }
    >
      <DefinitionList
        facts={[
          [t('State'), stateOf(proposal)],
          [t('Asked by'), asked_by.email],
          [t('Asked'), <Time key="asked" at={asked_at} exact />],
          [t('Done by itself'), state === 'open' && due_at ? <Time key="due" at={due_at} exact /> : null],
          [t('Given up'), state === 'open' && !due_at ? <Time key="expires" at={expires_at} exact /> : null],
          [t('Ended'), proposal.ended_at && <Time key="ended" at={proposal.ended_at} exact />],
          [t('Ended by'), proposal.ended_at && (proposal.ended_by?.email ?? t('the gateway itself'))],
          [t('Why'), proposal.why],
          [t('Integration'), integration?.name],
          [
            t('The {kind}', { kind: ofGateway(subject.kind) }),
            <Id key="id" text={subject.id} what={t('its id')} length={24} />,
          ],
        ]}
      />
      <Section title={t('What it would change')}>
        <DefinitionList
          facts={differencesOf(proposal).map(({ name, before, after }) => [
            name,
            before === null ? after : `${before} → ${after ?? t('none')}`,
          ])}
        />
      </Section>
      {ending && chosen && (
        <ConfirmDialog
          open
          danger={ending === 'refuse'}
          onClose={() => setEnding(null)}
          title={chosen.title}
          action={chosen.label}
          onConfirm={async () => {
            await endProposal(proposal.id, ending);
            onClose();
          }}
          done={chosen.done}
          changes={['/console/operator', 'session']}
        >
          <p>{chosen.about}</p>
        </ConfirmDialog>
      )}
    </Drawer>
  );
}
