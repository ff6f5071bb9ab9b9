import { type ReactNode, useState } from 'react';
import { amountText, assetName } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import { DefinitionList, idFact } from '../../../ui/display/definition-list.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { RadioGroup } from '../../../ui/form/radio-group.tsx';
import { Textarea } from '../../../ui/form/textarea.tsx';
import { outcomeWords } from '../../../ui/toast/done.ts';
import { assignMove, type MoveOwner, movePaths, type TreasuryMove } from './queries.ts';
import { placeNames, standingOf } from './words.ts';

/** A transfer into a treasury or vault or out of it, and the decision whose money it was. */
export function MoveDrawer({ move, onClose }: { move: TreasuryMove; onClose: () => void }): ReactNode {
  const [isDeciding, decide] = useState(false);
  const isOpen = move.to === 'operator' && !move.is_gone && move.payout_id === null && move.decision === null;
  const { decision } = move;
  return (
    <Drawer
      open
      onClose={onClose}
      title={<Money amount={move.amount} currency={move.asset} />}
      aside={move.mode === 'test' && <Badge tone="test">{t('Test')}</Badge>}
      footer={
        isOpen ? (
          <Button variant="primary" onClick={() => decide(true)}>
            {t('Say whose it was')}
          </Button>
        ) : undefined
      }
    >
      {isOpen && (
        <p className="text-sm">
          {t(
            'No payout of this gateway ordered it. Until somebody says whose money it was, it counts as taken by you.',
          )}
        </p>
      )}
      {move.unknown_vault_ids.length > 0 && (
        <p className="text-sm">
          {t(
            'The vault paid it under an id that no payout here has. After a restore from a backup it was probably a payout that was ordered since the backup.',
          )}
        </p>
      )}
      <DefinitionList
        facts={[
          [t('From'), placeNames[move.from]],
          [t('To'), placeNames[move.to]],
          [t('Network'), move.network ?? move.rail],
          idFact(t('Transaction'), t('transaction'), move.transaction, move.transaction_url),
          idFact(t('Receiver'), t('receiver'), move.receiver, move.receiver_url),
          [t('At'), <Time key="at" at={move.at} exact />],
          [t('Id in the vault'), move.unknown_vault_ids.join(', ') || null],
          [t('Ordered by'), standingOf(move) || null],
          [t('Decided by'), decision && (decision.by ?? t('an operator'))],
          [t('Decided at'), decision && <Time key="decided" at={decision.at} exact />],
          [t('Reason'), decision?.reason ?? null],
        ]}
      />
      {isDeciding && <OwnerDialog move={move} onClose={() => decide(false)} onDone={onClose} />}
    </Drawer>
  );
}

const owners = [
  { value: 'operator', label: t('It was your own'), help: t('Nothing else is booked.') },
  {
    value: 'business',
    label: t('It was paid for a business'),
    help: t('It is taken from the balance of the integration, which owes what it no longer has.'),
  },
  { value: 'user', label: t('It was paid for a user'), help: t('It is taken from their wallet.') },
] as const;

function OwnerDialog({
  move,
  onClose,
  onDone,
}: {
  move: TreasuryMove;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const [owner, choose] = useState<MoveOwner>('operator');
  const amount = `${amountText(move.amount)} ${assetName(move.asset)}`;

  async function send({ of = '', reason = '' }: Record<string, string>): Promise<string> {
    const body = { owner, ...(owner === 'operator' ? {} : { of: of.trim() }), reason };
    return outcomeWords(
      await assignMove(move.id, body),
      t('It is noted whose the {amount} were.', { amount }),
    );
  }

  return (
    <FormDialog
      onClose={onClose}
      title={t('Whose were the {amount}?', { amount })}
      description={t(
        'After a restore from a backup, payouts that were made since then are among what left without an order. This cannot be undone.',
      )}
      onSend={send}
      action={t('Note it')}
      changes={movePaths}
      onDone={onDone}
    >
      <RadioGroup name="owner" label={t('Owner')} choices={owners} value={owner} onChange={choose} required />
      {owner !== 'operator' && (
        <Input
          name="of"
          label={owner === 'business' ? t('Integration') : t('User')}
          help={owner === 'business' ? t('The id of the integration.') : t('The name of the user.')}
          code
          required
          maxLength={100}
          autoComplete="off"
        />
      )}
      <Textarea name="reason" label={t('How do you know?')} required maxLength={500} />
    </FormDialog>
  );
}
