import { useNavigate } from '@tanstack/react-router';
import { Bookmark, Columns3, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Menu, type MenuItem } from '../../../ui/button/menu.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { isFiltered, useFilters } from './filters.ts';
import {
  columnWords,
  optionalColumns,
  removeView,
  saveView,
  toggleColumn,
  useListView,
} from './list-view.ts';

/** Filters that were kept under a name, in this browser. */
export function ViewMenu(): ReactNode {
  const { search } = useFilters();
  const { views } = useListView();
  const navigate = useNavigate();
  const [isNaming, setNaming] = useState(false);
  const items: MenuItem[] = [
    ...views.map(({ name, search: kept }) => ({
      label: name,
      icon: Bookmark,
      onSelect: () => void navigate({ to: '.', search: kept as never }),
    })),
    ...(views.length > 0 ? ['line' as const] : []),
    {
      label: t('Save these filters'),
      icon: Plus,
      disabled: !isFiltered(search),
      onSelect: () => setNaming(true),
    },
    ...views.map(({ name }) => ({
      label: t('Forget {name}', { name }),
      icon: Trash2,
      onSelect: () => removeView(name),
    })),
  ];
  return (
    <>
      <Menu
        heading={t('Saved views')}
        trigger={
          <Button>
            <Bookmark size={16} aria-hidden /> {t('Views')}
          </Button>
        }
        items={items}
      />
      <Dialog
        open={isNaming}
        onClose={() => setNaming(false)}
        title={t('Save these filters')}
        description={t('They are kept in this browser under a name, without what was searched for.')}
      >
        <Form
          label={t('Save these filters')}
          className="grid gap-4"
          onSend={async ({ name = '' }) => {
            saveView(name.trim(), search);
            setNaming(false);
            toast(t('Saved'));
          }}
        >
          <Input label={t('Name')} name="name" required maxLength={40} autoComplete="off" />
          <SubmitButton>{t('Save')}</SubmitButton>
        </Form>
      </Dialog>
    </>
  );
}

/** Which columns the list has beside amount and status. */
export function ColumnMenu(): ReactNode {
  const { columns } = useListView();
  return (
    <Menu
      heading={t('Columns')}
      trigger={
        <Button className="max-sm:hidden">
          <Columns3 size={16} aria-hidden /> {t('Columns')}
        </Button>
      }
      items={optionalColumns.map((name) => ({
        label: columnWords[name],
        checked: columns.includes(name),
        staysOpen: true,
        onSelect: () => toggleColumn(name),
      }))}
    />
  );
}
