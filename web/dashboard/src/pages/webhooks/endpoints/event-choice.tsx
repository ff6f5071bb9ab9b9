import { type ReactNode, useId } from 'react';
import { t } from '../../../texts/t.ts';
import { Checkbox } from '../../../ui/form/checkbox.tsx';
import { FieldNotes, useControl } from '../../../ui/form/field.tsx';
import { defaultEventTypes, type EventType, eventHelp, eventTypes } from '../types/event-types.ts';

/** Which events are sent to an endpoint, each with when it comes. The boxes are named `event {type}`. */
export function EventChoice({
  chosen = defaultEventTypes,
}: {
  chosen?: readonly EventType[] | undefined;
}): ReactNode {
  const id = useId();
  const { control, fault } = useControl(id, { name: 'events' });
  return (
    <fieldset name="events" aria-describedby={control['aria-describedby']} className="grid gap-2">
      <legend className="mb-1.5 text-sm font-semibold">{t('Events')}</legend>
      {eventTypes.map((type) => (
        <Checkbox
          key={type}
          name={`event ${type}`}
          defaultChecked={chosen.includes(type)}
          label={<span className="font-mono">{type}</span>}
          help={eventHelp[type]}
        />
      ))}
      <FieldNotes id={id} fault={fault} />
    </fieldset>
  );
}
