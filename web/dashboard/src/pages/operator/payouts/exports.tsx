import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../../api/client.ts';
import { withQuery } from '../../../api/list.ts';
import { rich } from '../../../texts/rich.ts';
import { counted, t } from '../../../texts/t.ts';
import { Button, buttonClass } from '../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { operatorSide } from '../../payouts/side.ts';
import { exportsPath, type HandNetwork, type PayoutExport } from './queries.ts';

type ExportsProps = Pick<HandNetwork, 'network' | 'from' | 'exports'>;

/** The exports of a network, with their files. */
export function Exports({ network, from, exports }: ExportsProps): ReactNode {
  const [taken, take] = useState<PayoutExport>();

  return (
    <>
      <ul aria-label={t('Exports of {network}', { network })} className="grid gap-3">
        {exports.map((each) => (
          <li key={each.id} className="grid gap-3 rounded-xl border border-line bg-surface p-4">
            <div className="grid gap-0.5">
              <span className="font-semibold">{standingOf(each)}</span>
              <span className="text-sm text-quiet wrap-anywhere">
                {rich('Exported {time} by {by}', { time: <Time at={each.at} exact />, by: each.by })}
              </span>
            </div>
            {(each.can_use_up || each.waiting > 0) && <Files made={each} onTake={() => take(each)} />}
          </li>
        ))}
      </ul>
      <p className="max-w-prose text-sm text-pretty text-quiet">
        {from === 'vault'
          ? t(
              'To end a payout that was exported, have the admin execute the file that uses the ids up: it pays\n        nothing, and afterwards the vault never pays them. Once that is final, they can be cancelled.',
            )
          : t(
              'Look at what waits before you pay again: a transfer counts once it is final, and whoever pays a\n        payout twice pays the second time out of the operator’s pocket.',
            )}
      </p>
      <ConfirmDialog
        open={taken !== undefined}
        onClose={() => take(undefined)}
        title={t('Put what waits of this export back into the queue?')}
        action={t('Take it back')}
        onConfirm={() => api(`${exportsPath}/${taken?.id ?? ''}/take-back`, { body: {} })}
        done={t('Back in the queue')}
        changes={[exportsPath, ...operatorSide.changes]}
      >
        <p>
          {t(
            'The signer pays within its limits, where the vault has one. The file can still be executed: the vault pays each payout once, whoever comes first. So they still cannot be cancelled.',
          )}
        </p>
      </ConfirmDialog>
    </>
  );
}

function standingOf({ payouts, paid, waiting }: PayoutExport): string {
  const count = counted(payouts, '1 payout', '{count} payouts');
  return t('{count}: {paid} paid, {waiting} waiting', { count, paid, waiting });
}

function Files({ made, onTake }: { made: PayoutExport; onTake: () => void }): ReactNode {
  return (
    <div className="flex flex-wrap gap-2">
      {made.waiting > 0 && <File id={made.id} kind="safe" label={t('File for a Safe')} />}
      {made.waiting > 0 && <File id={made.id} kind="list" label={t('List as CSV')} />}
      {made.can_take_back && (
        <Button size="small" onClick={onTake}>
          {t('Take back')}
        </Button>
      )}
      {made.can_use_up && <File id={made.id} kind="use-up" label={t('File that uses the ids up')} />}
    </div>
  );
}

function File({ id, kind, label }: { id: string; kind: string; label: string }): ReactNode {
  return (
    <a
      href={withQuery(`${exportsPath}/${id}/file`, { kind })}
      download
      className={buttonClass('quiet', 'small')}
    >
      <Download size={16} aria-hidden /> {label}
    </a>
  );
}
