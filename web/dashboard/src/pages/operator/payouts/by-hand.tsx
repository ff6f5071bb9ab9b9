import { Hand } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../../api/client.ts';
import { amountText, assetName } from '../../../format/amount.ts';
import { counted, t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { operatorSide } from '../../payouts/side.ts';
import { Exports } from './exports.tsx';
import { exportsPath, type HandNetwork, type PayoutExport, useExports } from './queries.ts';

/** Payouts that the admin of a vault pays in place of its signer, or somebody out of a treasury. */
export function ByHand(): ReactNode {
  const networks = useExports();
  return (
    <Loaded query={networks}>
      {({ items }) => (
        <div className="grid gap-8">
          <p className="max-w-prose text-sm text-pretty text-quiet">
            {t(
              'The admin of a vault, a Safe or a cold wallet of yours, can pay queued payouts without the limit of the day. An export gives you a file for that. From then on the signer does not pay them; they are complete when the network shows that they were paid. On a chain that is configured so, the treasury pays instead.',
            )}
          </p>
          {items.length === 0 && (
            <EmptyState icon={Hand} title={t('No payouts by hand')}>
              {t('No network of this installation has a vault, or is configured to be paid by hand.')}
            </EmptyState>
          )}
          {items.map((network) => (
            <Network key={network.rail} network={network} />
          ))}
        </div>
      )}
    </Loaded>
  );
}

type NetworkProps = { network: HandNetwork };

function Network({ network: { rail, network, from, exportable, exports } }: NetworkProps): ReactNode {
  const [isAsked, ask] = useState(false);
  const count = exportable.reduce((sum, each) => sum + each.count, 0);
  const words = exportable.map(({ asset, count: many, amount }) =>
    t('{amount} {asset} in {many}', { amount: amountText(amount), asset: assetName(asset), many }),
  );

  return (
    <Section
      title={network}
      description={
        count === 0
          ? t('No payout waits that could be exported.')
          : t('Can be exported: {words}.', { words: words.join('; ') })
      }
      actions={
        count > 0 && (
          <Button variant="primary" onClick={() => ask(true)}>
            {t('Export for a Safe')}
          </Button>
        )
      }
    >
      {exports.length > 0 && <Exports network={network} from={from} exports={exports} />}
      <ConfirmDialog
        open={isAsked}
        onClose={() => ask(false)}
        title={t('Export the queued payouts on {network}?', { network })}
        action={t('Export them')}
        onConfirm={() => api<PayoutExport>(exportsPath, { body: { rail } })}
        done={({ payouts }) => counted(payouts, '1 payout is exported', '{count} payouts are exported')}
        changes={[exportsPath, ...operatorSide.changes]}
      >
        {from === 'vault' ? (
          <>
            <p>
              {t(
                "{words}. No money moves by this: you get a file that the vault's admin executes, in Safe's Transaction Builder for example. The vault pays each of them once, however often it is executed.",
                { words: words.join('; ') },
              )}
            </p>
            <p>
              {t(
                'The signer does not pay them from now on, and nobody can cancel them: whoever has the file can have it executed. You can put them back into the queue later. One export has at most 300 payouts.',
              )}
            </p>
          </>
        ) : (
          <>
            <p>
              {t(
                '{words}. No money moves by this: you get a list, or a file for a Safe, and pay each of them once out of the treasury, with exactly its amount. Each is complete when the network shows a transfer of the treasury that fits it.',
                { words: words.join('; ') },
              )}
            </p>
            <p>
              {t(
                'Nobody can cancel them from now on or put them back, and nothing keeps you from paying one twice. One export has at most 300 payouts.',
              )}
            </p>
          </>
        )}
      </ConfirmDialog>
    </Section>
  );
}
