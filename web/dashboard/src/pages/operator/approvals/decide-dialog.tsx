import type { ReactNode } from 'react';
import { api } from '../../../api/client.ts';
import type { Approval } from '../../../api/session.ts';
import { t } from '../../../texts/t.ts';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Textarea } from '../../../ui/form/textarea.tsx';
import { outcomeWords } from '../../../ui/toast/done.ts';
import { taskWords } from '../../settings/task-words.ts';
import { type ApplicantDetail, approvalsPath } from './queries.ts';

export type Decision = {
  act: 'approve' | 'reject' | 'suspend' | 'resume';
  label: string;
  /** The effects, shown before the decision. */
  follows: string;
  done: string;
  danger: boolean;
};

const approve: Decision = {
  act: 'approve',
  label: t('Approve'),
  follows: t('Live payments are accepted from the next API call. The owners get a mail.'),
  done: t('Approved'),
  danger: false,
};
const reject: Decision = {
  act: 'reject',
  label: t('Reject'),
  follows: t('It stays in test mode. The owners see the reason, and may ask again.'),
  done: t('Rejected'),
  danger: true,
};
const suspend: Decision = {
  act: 'suspend',
  label: t('Suspend'),
  follows: t(
    'New live payments and fundings are refused from the next API call. Existing payments continue.',
  ),
  done: t('Suspended'),
  danger: true,
};
const resume: Decision = {
  act: 'resume',
  label: t('Resume'),
  follows: t('Live payments are accepted again from the next API call.'),
  done: t('Resumed'),
  danger: false,
};

const fitting: Record<Approval, Decision[]> = {
  none: [approve],
  requested: [reject, approve],
  rejected: [approve],
  approved: [suspend],
  suspended: [resume],
};

/** What may be decided on an integration in this state. */
export function decisionsFor(approval: Approval): Decision[] {
  return fitting[approval];
}

type DecideDialogProps = { applicant: ApplicantDetail; decision: Decision | null; onClose: () => void };

/** Asks for the reason, which the merchant reads, and decides. */
export function DecideDialog({ applicant, decision, onClose }: DecideDialogProps): ReactNode {
  const open = applicant.tasks.filter(({ done }) => !done);

  async function decide({ reason = '' }: Record<string, string>): Promise<string> {
    const path = `/console/operator/integrations/${applicant.id}/${decision?.act}`;
    return outcomeWords(await api(path, { body: { reason } }), `${applicant.name}: ${decision?.done}`);
  }

  return (
    <FormDialog
      open={decision !== null}
      onClose={onClose}
      title={`${decision?.label ?? ''} ${applicant.name}`}
      description={decision?.follows}
      onSend={decide}
      action={decision?.label}
      danger={decision?.danger}
      changes={[approvalsPath, 'session']}
    >
      {decision?.act === 'approve' && open.length > 0 && (
        <Banner tone="waiting" title={t('Tasks that are not done')}>
          {open.map(({ slug, title }) => taskWords[slug]?.title ?? title).join(' · ')}
        </Banner>
      )}
      <Textarea
        name="reason"
        label={t('Reason')}
        help={t('The merchant sees this text.')}
        required={decision?.danger ?? false}
        maxLength={1000}
      />
    </FormDialog>
  );
}
