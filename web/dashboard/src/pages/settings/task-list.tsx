import { CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import type { Task } from './queries.ts';
import { taskWords } from './task-words.ts';

/** The tasks before live mode, done and open. The merchant and the operator see the same list. */
export function TaskList({ tasks }: { tasks: readonly Task[] }): ReactNode {
  return (
    <ul className="grid gap-3">
      {tasks.map(({ slug, title: name, done, optional }) => {
        const { title, help } = taskWords[slug] ?? { title: name, help: '' };
        const Icon = done ? CircleCheck : CircleDashed;
        return (
          <li key={slug} className="flex items-start gap-3">
            <Icon size={20} aria-hidden className={`shrink-0 ${done ? 'text-paid' : 'text-quiet'}`} />
            <div className="grid min-w-0 gap-0.5 text-sm">
              <p className="font-semibold">
                <span className="sr-only">{done ? t('Done:') : t('To do:')} </span>
                {title}
                {optional && <span className="font-normal text-quiet"> {t('(not required)')}</span>}
              </p>
              {!done && <p className="text-quiet">{help}</p>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
