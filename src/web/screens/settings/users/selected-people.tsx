import { Ban, CircleCheck, Trash2, UserMinus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { PeopleAction } from '../../../../shared/contract/people.ts'
import { useGroups } from '../../../data/groups.ts'
import { notify } from '../../../data/notices.ts'
import { useChangePeople } from '../../../data/people.ts'
import { ask } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/select.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import '../effect/kinds.ts'
import styles from './users-screen.module.css'

/** What can be done with the selected people. @param props.onDone called when something was changed */
export function SelectedPeople({ ids, onDone }: { ids: readonly number[]; onDone: () => void }) {
  const change = useChangePeople()
  const groups = useGroups().data ?? []
  const [chosen, setChosen] = useState('')
  const group = chosen === '' ? (groups[0]?.id ?? null) : Number(chosen)
  const count = ids.length

  const perform = (action: PeopleAction) =>
    change.mutate(
      { ids, change: action },
      {
        onSuccess: (result) => {
          if (result === null) return
          const { changed, refused } = result
          notify({ tone: 'success', text: t('users.changed', { count: changed }) })
          if (refused > 0) notify({ tone: 'error', text: t('users.refused', { count: refused }), reportable: false })
          onDone()
        },
      },
    )
  const confirmed = async (action: PeopleAction, question: { title: string; text: string; confirmLabel: string }) => {
    if ((await ask('confirm', { ...question, danger: true })) === true) perform(action)
  }
  const membership = async (what: 'join' | 'leave', id: number) => {
    const title = t('users.selected', { count })
    const confirmLabel = t(what === 'join' ? 'users.join' : 'users.leave')
    if ((await ask('effect', { title, confirmLabel, change: { what, group: id, people: [...ids] } })) !== null)
      perform({ action: what, group: id })
  }
  return (
    <div role="group" aria-label={t('users.selected', { count })} className={styles.actions} data-part="selected-people">
      <span className="strong text-small">{t('users.selected', { count })}</span>
      <Button
        label={t('users.disable')}
        icon={Ban}
        size="small"
        busy={change.isPending}
        onClick={() =>
          void confirmed(
            { action: 'disable' },
            {
              title: t('users.disable.title', { count }),
              text: t('users.disable.text'),
              confirmLabel: t('users.disable'),
            },
          )
        }
      />
      <Button
        label={t('users.enable')}
        icon={CircleCheck}
        size="small"
        busy={change.isPending}
        onClick={() => perform({ action: 'enable' })}
      />
      {group !== null && (
        <span className={styles.grouping}>
          <Select
            label={t('users.group')}
            labelHidden
            value={String(group)}
            options={groups.map(({ id, name }) => ({ value: String(id), label: displayName(name) }))}
            onValue={setChosen}
          />
          <Button
            label={t('users.join')}
            icon={UserPlus}
            size="small"
            busy={change.isPending}
            onClick={() => void membership('join', group)}
          />
          <Button
            label={t('users.leave')}
            icon={UserMinus}
            size="small"
            busy={change.isPending}
            onClick={() => void membership('leave', group)}
          />
        </span>
      )}
      <Button
        label={t('users.delete')}
        icon={Trash2}
        size="small"
        variant="danger"
        busy={change.isPending}
        onClick={() =>
          void confirmed(
            { action: 'delete' },
            {
              title: t('users.delete.title', { count }),
              text: t('users.delete.text'),
              confirmLabel: t('users.delete'),
            },
          )
        }
      />
    </div>
  )
}
