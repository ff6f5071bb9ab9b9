import type { ReactNode } from 'react';
import { useRefresh } from '../../api/refresh.ts';
import { t } from '../../texts/t.ts';
import { toast } from '../toast/toast.ts';
import { Form, type FormValues } from './form.tsx';
import { SubmitButton } from './submit-button.tsx';

export type SettingsFormProps = {
  /** Names the form. */
  label: string;
  /** Whether the person may change the settings; others read them. */
  may: boolean;
  /** What the button says, where it saves a part of a page. */
  action?: string;
  onSend: (values: FormValues) => Promise<unknown>;
  /** What the toast says when it is saved. */
  done: string;
  /** Paths whose reads are stale afterwards, with everything below them. */
  changes: readonly string[];
  /** In two columns on a wide screen. */
  wide?: boolean;
  children: ReactNode;
};

/** A form of settings with its button, which those who may not change them see without it. */
export function SettingsForm(props: SettingsFormProps): ReactNode {
  const { label, may, action, onSend, done, changes, wide = false, children } = props;
  const refresh = useRefresh();

  async function save(values: FormValues): Promise<void> {
    await onSend(values);
    toast(done);
    await refresh(...changes);
  }

  return (
    <Form onSend={save} label={label}>
      <fieldset
        disabled={!may}
        className={wide ? 'grid min-w-0 items-start gap-5 lg:grid-cols-2' : 'grid min-w-0 gap-5'}
      >
        {children}
      </fieldset>
      {may && (
        <div>
          <SubmitButton variant={action === undefined ? 'primary' : 'quiet'}>
            {action ?? t('Save')}
          </SubmitButton>
        </div>
      )}
    </Form>
  );
}
