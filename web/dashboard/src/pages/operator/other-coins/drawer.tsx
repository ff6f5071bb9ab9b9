import type { ReactNode } from 'react';
import { amountText } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Code, Id } from '../../../ui/display/code.tsx';
import { DefinitionList, idFact } from '../../../ui/display/definition-list.tsx';
import { PaymentLink } from '../../../ui/display/payment-link.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import type { OtherCoin } from './queries.ts';
import { OtherCoinState } from './words.tsx';

/** What came, where it lies, and the command that recovers it. */
export function OtherCoinDrawer({ coin, onClose }: { coin: OtherCoin; onClose: () => void }): ReactNode {
  const { amount, symbol, token, address, transaction, transaction_url, payment, command } = coin;
  return (
    <Drawer
      open
      onClose={onClose}
      title={
        symbol === null
          ? t('{amount} smallest units of a token', { amount })
          : `${amountText(amount)} ${symbol}`
      }
      aside={<OtherCoinState state={coin.state} />}
    >
      <Section title={t('Recover it')}>
        {command === null ? (
          <p className="text-sm">
            {t(
              'Florin has no command for it: the wallet that holds the key of this address moves it, or its chain is no longer configured.',
            )}
          </p>
        ) : (
          <>
            <Code text={command} label={t('Command')} />
            <p className="text-sm">
              {t(
                'It moves all that lies at the address of this coin or token to the treasury, and makes no line in the ledger. What you send back is between you and the customer. Once its transaction is mined this says Recovered.',
              )}
            </p>
          </>
        )}
      </Section>
      <DefinitionList
        facts={[
          [
            t('Payment'),
            <PaymentLink key="payment" integration={payment.integration_id} reference={payment.reference} />,
          ],
          [t('Integration'), payment.integration_name],
          [
            t('Token'),
            symbol === null ? (
              <Id key="token" text={token} what={t('token')} length={24} />
            ) : (
              t('the native coin, {symbol}', { symbol })
            ),
          ],
          idFact(t('Address'), t('address'), address),
          idFact(t('Transaction'), t('transaction'), transaction, transaction_url),
          [t('Network'), coin.chain],
          [t('Found'), <Time key="found" at={coin.found_at} exact />],
        ]}
      />
    </Drawer>
  );
}
