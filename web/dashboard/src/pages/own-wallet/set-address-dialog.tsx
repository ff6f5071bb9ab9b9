import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { Code } from '../../ui/display/code.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import type { FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Textarea } from '../../ui/form/textarea.tsx';
import { browserWallet, signByBrowser } from './sign-by-browser.ts';

type Stated = { address: string; statement: string };

/** Sets an address of the business's own: first which one, then what proves that it is theirs. */
export function SetAddressDialog({ asset, onClose }: { asset: string; onClose: () => void }): ReactNode {
  const [stated, setStated] = useState<Stated>();
  return stated ? (
    <ProveDialog {...{ asset, onClose, stated }} />
  ) : (
    <ChooseDialog {...{ asset, onClose }} onStated={setStated} />
  );
}

type ChooseProps = { asset: string; onClose: () => void; onStated: (stated: Stated) => void };

function ChooseDialog({ asset, onClose, onStated }: ChooseProps): ReactNode {
  const { path } = useScope();

  async function ask({ address = '' }: FormValues): Promise<null> {
    const query = new URLSearchParams({ asset, address: address.trim() });
    const found = await api<{ statement: string }>(`${path('/own-addresses/statement')}?${query}`);
    onStated({ address: address.trim(), statement: found.statement });
    return null;
  }

  return (
    <FormDialog
      onClose={onClose}
      title={t('Your own wallet for {asset}', { asset: assetName(asset) })}
      description={t('New payments will arrive there. Nobody but you can bring money back from it.')}
      onSend={ask}
      action={t('Continue')}
    >
      <Input
        name="address"
        label={t('Address')}
        help={t(
          'A wallet whose key you have, or a contract wallet such as a Safe. Not an address of an exchange: it cannot sign.',
        )}
        required
        maxLength={100}
        autoComplete="off"
        code
      />
    </FormDialog>
  );
}

type ProveProps = { asset: string; onClose: () => void; stated: Stated };

function ProveDialog({ asset, onClose, stated: { address, statement } }: ProveProps): ReactNode {
  const { path } = useScope();
  const [signature, setSignature] = useState('');
  const [hasRefused, setHasRefused] = useState(false);
  const wallet = browserWallet();

  async function sign(): Promise<void> {
    if (!wallet) return;
    setHasRefused(false);
    await signByBrowser(wallet, address, statement)
      .then(setSignature)
      .catch(() => setHasRefused(true));
  }

  async function set(): Promise<string> {
    await api(path('/own-addresses'), {
      method: 'PUT',
      body: { asset, address, signature: signature.trim() },
    });
    return t('Address set');
  }

  return (
    <FormDialog
      onClose={onClose}
      title={t('Prove that it is yours')}
      description={t('Sign this text with the wallet of the address. That costs nothing and moves nothing.')}
      onSend={set}
      action={t('Set the address')}
      changes={[path('/own-addresses')]}
    >
      <Code text={statement} label={t('Text to sign')} wraps />
      {wallet && <Button onClick={() => void sign()}>{t('Sign with the wallet in this browser')}</Button>}
      {hasRefused && (
        <Banner tone="waiting" title={t('The wallet has not signed')} role="alert">
          {t('Choose the account of this address in your wallet, and try again.')}
        </Banner>
      )}
      <Textarea
        name="signature"
        label={t('Signature')}
        help={t('It begins with 0x.')}
        value={signature}
        onChange={({ target }) => setSignature(target.value)}
        required
        maxLength={8_194}
        rows={3}
      />
    </FormDialog>
  );
}
