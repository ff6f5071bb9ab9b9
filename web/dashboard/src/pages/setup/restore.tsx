import { type ReactNode, useState } from 'react';
import { signInAddress } from '../../api/sign-in-address.ts';
import { t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { Progress } from '../../ui/feedback/progress.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { Textarea } from '../../ui/form/textarea.tsx';
import { beginRestore, sendFile, useRestorePlace, useRestoreProgress, useRestoreTerms } from './queries.ts';

const figures = new Intl.NumberFormat('en');

/** Restores a backup in place of this installation, and shows how far that is. */
export function Restore({ onBegun }: { onBegun: () => void }): ReactNode {
  const terms = useRestoreTerms();
  const [hasBegun, setBegun] = useState(false);
  const [sent, setSent] = useState<{ bytes: number; of: number } | null>(null);
  if (hasBegun) return <Running onAgain={() => setBegun(false)} />;
  return (
    <Loaded query={terms}>
      {({ takes_master_key: takesKey, master_key_place: place, piece_bytes: pieceBytes }) => (
        <Form
          label={t('Restore from a backup')}
          onSend={async ({ placed = '', path = '', master_key: key = '', identity = '' }, form) => {
            const upload = (form.elements.namedItem('upload') as HTMLInputElement).files?.[0];
            const file = upload
              ? await sendFile(upload, pieceBytes, (bytes) => setSent({ bytes, of: upload.size }))
              : null;
            await beginRestore({
              file,
              path: file === null ? path || placed : null,
              master_key: key || null,
              identity: identity || null,
            });
            setBegun(true);
            onBegun();
          }}
        >
          <Placed />
          <Input
            name="upload"
            type="file"
            className="leading-9"
            label={t('Backup')}
            help={t('A file that florin backup wrote.')}
          />
          {sent && (
            <Progress label={t('Sending')} value={sent.bytes} max={sent.of} text={megabytes(sent.bytes)} />
          )}
          <Input
            name="path"
            label={t('Or its path on the server')}
            help={t('For a large backup: copy it there first.')}
            maxLength={1000}
            spellCheck={false}
          />
          {takesKey ? (
            <Textarea
              name="master_key"
              label={t('Master key')}
              help={t('The content of its file. Leave it empty where {place} has it already.', { place })}
              rows={3}
              className="font-mono"
              spellCheck={false}
              autoComplete="off"
            />
          ) : (
            <Banner>{t('The master key comes from {place}.', { place })}</Banner>
          )}
          <Textarea
            name="identity"
            label={t('Identity of age')}
            help={t('For an encrypted backup. It is used once and kept nowhere.')}
            rows={2}
            className="font-mono"
            spellCheck={false}
            autoComplete="off"
          />
          <SubmitButton size="large">{t('Restore')}</SubmitButton>
        </Form>
      )}
    </Loaded>
  );
}

/** The backups in BACKUP_TO, where that is set. */
function Placed(): ReactNode {
  const { data } = useRestorePlace();
  if (data === undefined || (data.place === null && data.fault === null)) return null;
  if (data.fault !== null) return <Banner tone="waiting">{data.fault}</Banner>;
  return (
    <Select
      name="placed"
      label={t('A backup in {place}', { place: data.place ?? '' })}
      choices={[
        { value: '', label: t('None of these') },
        ...data.names.map((name) => ({ value: name, label: name })),
      ]}
      defaultValue={data.names[0] ?? ''}
    />
  );
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function Running({ onAgain }: { onAgain: () => void }): ReactNode {
  const { data } = useRestoreProgress();
  if (data?.state === 'done') {
    return (
      <>
        <Banner tone="paid" role="status" title={t('The backup is restored')}>
          {data.done
            ? t('{rows} rows in {tables} tables.', {
                rows: figures.format(data.done.rows),
                tables: data.done.tables,
              })
            : t('The gateway runs on it now.')}
        </Banner>
        <p className="text-sm text-quiet">
          {t(
            'Sign in with an account of that installation. Payouts are stopped until an operator lets them go on: what left after the backup is not in it.',
          )}
        </p>
        <a href={signInAddress()} className={buttonClass('primary', 'large')}>
          {t('Sign in')}
        </a>
      </>
    );
  }
  if (data?.state === 'failed') {
    return (
      <>
        <Banner tone="lost" role="alert" title={t('Nothing was restored')}>
          {data.fault}
        </Banner>
        <button type="button" className={buttonClass('primary', 'large')} onClick={onAgain}>
          {t('Try again')}
        </button>
      </>
    );
  }
  const { progress } = data ?? {};
  return (
    <Progress
      label={progress ? t('Loading the tables') : t('Checking the backup')}
      value={progress?.tables ?? null}
      max={progress?.of_tables ?? 100}
      {...(progress ? { text: figures.format(progress.rows) } : {})}
    />
  );
}
