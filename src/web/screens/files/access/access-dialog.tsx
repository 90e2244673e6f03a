import { UserPlus, X } from 'lucide-react'
import { useState } from 'react'
import type { AccessEntry } from '../../../../shared/contract/groups.ts'
import { type FileRight, ROLES } from '../../../../shared/contract/rights.ts'
import { type FilePath, nameOf, ROOT } from '../../../../shared/file-path.ts'
import { useAccess, useGroups, useSetAccess } from '../../../data/groups.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { useUsers } from '../../../data/users.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { displayName, pathInSentence } from '../../../widgets/display-name.ts'
import { Loading } from '../../../widgets/loading.tsx'
import { RoleSelect } from '../../../widgets/role-select.tsx'
import { keyOf, labelOf, type NamedSubject, SubjectPicker } from '../../../widgets/subject-picker.tsx'
import { ReachList } from './reach-list.tsx'
import { RoleEffectText } from './role-effect.tsx'
import styles from './access-dialog.module.css'

/** People and groups with a role on a folder or a file, for administrators: add, change and remove; what comes from above is shown as such. */
export function AccessDialog({ path, onDismiss }: PromptProps<'access'>) {
  const { data, error } = useAccess(path)
  const set = useSetAccess(path)
  const failure = error ?? set.error
  const name = path === ROOT ? t('files.root') : displayName(nameOf(path))
  const own = data?.entries.filter(({ from }) => from === path) ?? []
  const inherited = data?.entries.filter(({ from }) => from !== path) ?? []
  return (
    <Dialog
      title={t('access.title', { name })}
      description={t('access.text')}
      size="wide"
      closeLabel={t('action.close')}
      onDismiss={onDismiss}
      actions={<Button label={t('action.close')} variant="quiet" onClick={onDismiss} />}
    >
      <div className="grid gap-6" data-part="access">
        {data === undefined && error === null && <Loading height="120px" size={24} tone="faint" />}
        {data !== undefined && own.length + inherited.length === 0 && <p className="muted text-small">{t('access.none')}</p>}
        {own.length > 0 && (
          <ul className={styles.lines} aria-label={t('access.here')}>
            {own.map(({ who, rights }) => (
              <li key={keyOf(who)} className={styles.line}>
                <bdi className="grow break-anywhere">{labelOf(who)}</bdi>
                <RoleSelect
                  label={t('access.role-of', { name: labelOf(who) })}
                  labelHidden
                  rights={rights}
                  disabled={set.isPending}
                  onRights={(next) => set.mutate({ who, rights: next })}
                />
                <IconButton
                  label={t('access.remove', { name: labelOf(who) })}
                  icon={X}
                  disabled={set.isPending}
                  onClick={() => set.mutate({ who, rights: null })}
                />
              </li>
            ))}
          </ul>
        )}
        {inherited.length > 0 && (
          <ul className={styles.lines} aria-label={t('access.inherited')}>
            {inherited.map((entry) => (
              <Inherited key={`${keyOf(entry.who)} ${entry.from}`} entry={entry} />
            ))}
          </ul>
        )}
        <AddEntry path={path} taken={own} busy={set.isPending} onAdd={(who, rights) => set.mutateAsync({ who, rights })} />
        <Reached path={path} />
        <div role="alert">{failure !== null && <FieldMessage tone="error" text={errorText(failure)} />}</div>
      </div>
    </Dialog>
  )
}

/** Asked for only when it is opened: the server looks at everybody. */
function Reached({ path }: { path: FilePath }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Disclosure label={t('reach.title')} onOpen={() => setOpen(true)}>
      {isOpen && <ReachList path={path} />}
    </Disclosure>
  )
}

function Inherited({ entry: { who, rights, from } }: { entry: AccessEntry }) {
  const place = from === null ? t('access.from-above') : t('access.from', { path: from === ROOT ? t('files.root') : pathInSentence(from) })
  return (
    <li className={styles.line}>
      <span className="grid grow">
        <bdi className="break-anywhere">{labelOf(who)}</bdi>
        <span className="muted text-small break-anywhere">{place}</span>
      </span>
      <RoleSelect label={t('access.role-of', { name: labelOf(who) })} labelHidden rights={rights} disabled onRights={() => undefined} />
    </li>
  )
}

interface AddEntryProps {
  path: FilePath
  taken: readonly AccessEntry[]
  busy: boolean
  onAdd: (who: NamedSubject, rights: FileRight[]) => Promise<boolean | null>
}

function AddEntry({ path, taken, busy, onAdd }: AddEntryProps) {
  const { data: users = [] } = useUsers()
  const { data: groups = [] } = useGroups()
  const [who, setWho] = useState<NamedSubject | null>(null)
  const [rights, setRights] = useState<FileRight[]>([...ROLES.viewer])
  const known = new Set(taken.map((entry) => keyOf(entry.who)))
  const all: NamedSubject[] = [
    { kind: 'everybody', id: 0, name: t('access.everybody') },
    ...groups.map(({ id, name }): NamedSubject => ({ kind: 'group', id, name })),
    ...users.map(({ id, username }): NamedSubject => ({ kind: 'user', id, name: username })),
  ]
  const [subjects, chosen] = [all.filter((subject) => !known.has(keyOf(subject))), who === null ? null : keyOf(who)]
  const current = subjects.find((subject) => keyOf(subject) === chosen) ?? null
  const add = async () => {
    if (current === null) return
    const added = await onAdd(current, rights).catch(() => null)
    if (added !== null) setWho(null)
  }
  return (
    <fieldset className={styles.adding}>
      <legend className="strong">{t('access.give')}</legend>
      <SubjectPicker label={t('access.who')} subjects={subjects} value={current} onValue={setWho} />
      <RoleSelect label={t('access.role')} rights={rights} onRights={setRights} />
      <RoleEffectText path={path} who={current} rights={rights} />
      <Button
        label={t('access.add')}
        variant="primary"
        icon={UserPlus}
        busy={busy}
        disabled={current === null}
        onClick={() => void add()}
      />
    </fieldset>
  )
}
