import { Download, QrCode as QrIcon, Wallet } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Copy } from '../../ui/button/copy.tsx';
import { DefinitionList, idFact } from '../../ui/display/definition-list.tsx';
import { Money } from '../../ui/display/money.tsx';
import { QrCode } from '../../ui/display/qr-code.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import type { Transfer } from './queries.ts';
import { saveFile } from './save-file.ts';
import { browserWallet, type NotSent, sendByBrowser } from './sign-by-browser.ts';

const notSentWords: Record<NotSent, string> = {
  declined: t('You declined it in your wallet. Nothing was sent.'),
  account: t('Choose the account of your own address in your wallet, and try again.'),
  chain: t('Choose the network of this transfer in your wallet, and try again.'),
};

/** A transfer that answers a refund: sent by the wallet in this browser, as a link, or by a Safe. */
export function SendTransfer({ asset, transfer }: { asset: string; transfer: Transfer }): ReactNode {
  const [shows, setShows] = useState(false);
  const [outcome, setOutcome] = useState<NotSent | 'sent'>();
  const wallet = browserWallet();

  async function send(): Promise<void> {
    if (!wallet) return;
    setOutcome(undefined);
    setOutcome((await sendByBrowser(wallet, transfer)) ?? 'sent');
  }

  return (
    <div className="grid gap-2 rounded-lg border border-line p-3">
      <p className="text-pretty">
        {t('Send exactly this from your own address. The refund is completed when the transfer is final.')}
      </p>
      <DefinitionList
        facts={[
          [t('Amount'), <Money key="a" amount={transfer.amount} currency={asset} />],
          idFact(t('From'), t('your own address'), transfer.from),
          idFact(t('To'), t('address'), transfer.to),
        ]}
      />
      <span className="flex flex-wrap items-center gap-2">
        {wallet && (
          <Button size="small" disabled={outcome === 'sent'} onClick={() => void send()}>
            <Wallet size={16} aria-hidden /> {t('Send with the wallet in this browser')}
          </Button>
        )}
        <Button size="small" aria-expanded={shows} onClick={() => setShows(!shows)}>
          <QrIcon size={16} aria-hidden /> {t('Link for a wallet')}
        </Button>
        <Button size="small" onClick={() => saveFile(transfer.safe, 'refund-safe.json')}>
          <Download size={16} aria-hidden /> {t('File for a Safe')}
        </Button>
      </span>
      {shows && (
        <div className="grid max-w-64 gap-2">
          <QrCode
            text={transfer.link}
            label={t('QR code of the transfer in {asset}', { asset: assetName(asset) })}
          />
          <Copy text={transfer.link} what={t('link for a wallet')} label={t('Copy link')} />
        </div>
      )}
      {outcome === 'sent' && (
        <Banner tone="info" title={t('Sent by your wallet')} role="status">
          {t('It counts once it is final. Do not send it again.')}
        </Banner>
      )}
      {outcome !== undefined && outcome !== 'sent' && (
        <Banner tone="waiting" title={t('Nothing was sent')} role="alert">
          {notSentWords[outcome]}
        </Banner>
      )}
    </div>
  );
}
