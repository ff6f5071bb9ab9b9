import { type ReactNode, useState } from 'react';
import { useRefresh } from '../../../api/refresh.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Id } from '../../../ui/display/code.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { differencesOf } from '../../audit/entry.ts';
import { type Ending, endProposal, type Proposal } from './queries.ts';
import { stateOf } from './words.ts';

const endings: Record<Ending, { label: string; title: string; about: string; done: string }> = {
  confirm: {
    label: 'Confirm',
    title: 'Confirm this?',
    about: 'It is done at once. Ask whoever asked for it when you did not expect it.',
    done: 'Confirmed, and done',
  },
  refuse: {
    label: 'Refuse',
    title: 'Refuse this?',
    about: 'It is not done. The other operators get a mail.',
    done: 'Refused',
  },
  cancel: {
    label: 'Cancel it',
    title: 'Cancel what you asked for?',
    about: 'It is not done. You can ask again.',
    done: 'Cancelled',
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
  const refresh = useRefresh();
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
          ['State', stateOf(proposal)],
          ['Asked by', asked_by.email],
          ['Asked', <Time key="asked" at={asked_at} exact />],
          ['Done by itself', state === 'open' && due_at ? <Time key="due" at={due_at} exact /> : null],
          ['Given up', state === 'open' && !due_at ? <Time key="expires" at={expires_at} exact /> : null],
          ['Ended', proposal.ended_at && <Time key="ended" at={proposal.ended_at} exact />],
          ['Ended by', proposal.ended_at && (proposal.ended_by?.email ?? 'the gateway itself')],
          ['Why', proposal.why],
          ['Integration', integration?.name],
          [`The ${subject.kind}`, <Id key="id" text={subject.id} what="its id" length={24} />],
        ]}
      />
      <Section title="What it would change">
        <DefinitionList
          facts={differencesOf(proposal).map(({ name, before, after }) => [
            name,
            before === null ? after : `${before} → ${after ?? 'none'}`,
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
            toast(chosen.done);
            onClose();
            await refresh('/console/operator', 'session');
          }}
        >
          <p>{chosen.about}</p>
        </ConfirmDialog>
      )}
    </Drawer>
  );
}
