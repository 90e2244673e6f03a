import { UserMinus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { PlannedChange } from '../../../../shared/contract/explain.ts'
import { useMembers, useSetMember } from '../../../data/groups.ts'
import { ask } from '../../../data/prompts.ts'
import { useUsers } from '../../../data/users.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { type NamedSubject, SubjectPicker } from '../../../widgets/subject-picker.tsx'
import { EffectText } from '../effect/effect-text.tsx'
import '../effect/kinds.ts'
import styles from './lines.module.css'

/** The field to search appears from this number of members. */
const SEARCH_FROM = 10

/** Members of a group: search, add and remove, each at once. */
export function MembersCard({ group }: { group: number }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<NamedSubject | null>(null)
  const { data } = useMembers(group, text.trim())
  const { data: users = [] } = useUsers()
  const set = useSetMember()
  const members = data?.members ?? []
  const ids = new Set(members.map(({ id }) => id))
  const others = users.filter(({ id }) => !ids.has(id)).map(({ id, username }): NamedSubject => ({ kind: 'user', id, name: username }))
  const add = () => {
    if (chosen === null) return
    set.mutate({ group, user: chosen.id, isMember: true }, { onSuccess: (isDone) => isDone && setChosen(null) })
  }
  const remove = async (id: number, username: string) => {
    const label = t('access.remove', { name: displayName(username) })
    const change: PlannedChange = { what: 'leave', group, people: [id] }
    if ((await ask('effect', { title: label, confirmLabel: t('users.leave'), change })) === null) return
    set.mutate({ group, user: id, isMember: false })
  }
  return (
    <div className="grid gap-5" data-part="members">
      {(text !== '' || members.length >= SEARCH_FROM) && (
        <TextField label={t('access.search')} type="search" value={text} onValue={setText} />
      )}
      {members.length === 0 ? (
        <p className="muted text-small">{t('group.members.none')}</p>
      ) : (
        <ul className={styles.lines} aria-label={t('groups.members')}>
          {members.map(({ id, username }) => (
            <li key={id} className={styles.line}>
              <bdi className="grow break-anywhere">{displayName(username)}</bdi>
              <IconButton
                label={t('access.remove', { name: displayName(username) })}
                icon={UserMinus}
                disabled={set.isPending}
                onClick={() => void remove(id, username)}
              />
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && data.next !== null && <p className="muted text-small">{t('group.members.more')}</p>}
      <div className={styles.adding}>
        <SubjectPicker label={t('group.members.who')} subjects={others} value={chosen} onValue={setChosen} />
        <EffectText change={chosen === null ? null : { what: 'join', group, people: [chosen.id] }} />
        <Button label={t('access.add')} icon={UserPlus} busy={set.isPending} disabled={chosen === null} onClick={add} />
      </div>
    </div>
  )
}
