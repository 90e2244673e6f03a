import { ArrowLeft, Undo2, UserRoundX } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { HandOver, HandOverChoice, HandOverProblem } from '../../../../shared/contract/hand-over.ts'
import { isAppError } from '../../../../shared/errors.ts'
import { Link, useLocation } from '../../../router/router.tsx'
import { isGoingOn, useBelongings, useLastHandOver, useStartHandOver, useTakeBack } from '../../../data/hand-over.ts'
import { notify } from '../../../data/notices.ts'
import { ask } from '../../../data/prompts.ts'
import { useUserRecord, useUsers } from '../../../data/users.ts'
import { type MessageKey, errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { Loading } from '../../../widgets/loading.tsx'
import { keyOf, type NamedSubject, SubjectPicker } from '../../../widgets/subject-picker.tsx'
import { Section } from '../section.tsx'
import { BelongingsList } from './belongings-list.tsx'
import styles from './user-form.module.css'

const PLACE = '/settings/users/hand-over/'

const PROBLEMS: Record<HandOverProblem, MessageKey> = {
  disabled: 'leave.problem.disabled',
  'no-folder': 'leave.problem.no-folder',
  'no-room': 'leave.problem.no-room',
  hidden: 'leave.problem.hidden',
}

/** When somebody leaves: what there is, what becomes of it, and how far it is. */
export function HandOverScreen() {
  const { pathname } = useLocation()
  return <Leaving key={pathname} id={pathname.slice(PLACE.length)} />
}

function Leaving({ id }: { id: string }) {
  const user = useUserRecord(id)
  const last = useLastHandOver(user.id)
  const name = displayName(user.username)
  return (
    <div className="grid gap-6" data-part="hand-over">
      <div className={styles.head}>
        <Link to={`/settings/users/${id}`} className={styles.back}>
          <ArrowLeft size={17} strokeWidth={1.75} className="mirror" aria-hidden />
          <bdi>{name}</bdi>
        </Link>
        <h2 className="text-heading break-anywhere">{t('leave.title', { name })}</h2>
        <p className="muted text-small">{t('leave.text')}</p>
      </div>
      {last && <Last last={last} id={user.id} />}
      {last !== undefined && !(last !== null && isGoingOn(last)) && <Form user={{ id: user.id, username: user.username }} name={name} />}
    </div>
  )
}

/** The last one, while it goes on and afterwards. */
function Last({ last, id }: { last: HandOver; id: number }) {
  const takeBack = useTakeBack(id)
  const to = displayName(last.to.name)
  const { state, folder, total, done, error } = last
  const text = state === 'done' ? 'leave.done' : state === 'failed' ? 'leave.failed' : 'leave.running'
  const onSuccess = (isAll: boolean) =>
    notify(
      isAll
        ? { tone: 'success', text: t('undo.done.move', { count: 1, name: displayName(folder?.split('/').at(-1) ?? '') }) }
        : { tone: 'error', text: t('undo.changed'), reportable: false },
    )
  return (
    <div role="status" className={styles.danger} data-part="last-hand-over">
      <div className="grid gap-3 grow">
        <p className="strong break-anywhere">{t(text, { to })}</p>
        {isGoingOn(last) && <Progress label={t(text, { to })} value={total === 0 ? null : done / total} />}
        {error !== null && <FieldMessage tone="error" text={reasonOf(error)} />}
        {folder !== null && <p className="muted text-small break-anywhere">{t('leave.home.to', { path: displayName(folder) })}</p>}
        {!isGoingOn(last) && <p className="muted text-small">{t('leave.result', last)}</p>}
      </div>
      {state === 'done' && folder !== null && !takeBack.isSuccess && (
        <Button
          label={t('leave.undo')}
          icon={Undo2}
          iconSize={17}
          busy={takeBack.isPending}
          onClick={() => takeBack.mutate(last.group, { onSuccess })}
        />
      )}
    </div>
  )
}

function reasonOf(code: string): string {
  if (code === 'quota-exceeded' || code === 'storage-full') return t('leave.problem.no-room')
  if (code === 'access-changed') return t('leave.problem.disabled')
  if (code === 'forbidden') return t('leave.problem.hidden')
  return code
}

function Form({ user, name }: { user: { id: number; username: string }; name: string }) {
  const { data: users = [] } = useUsers()
  const [successor, setSuccessor] = useState<NamedSubject | null>(null)
  const [folder, setFolder] = useState(() =>
    t('leave.folder.name', { name: user.username, date: new Date().toISOString().slice(0, 10) }).replaceAll('/', '_'),
  )
  const [terms, setTerms] = useState<Omit<HandOverChoice, 'to' | 'folder'>>({
    files: 'move',
    shares: 'pass',
    rest: 'keep',
    account: 'disable',
  })
  const start = useStartHandOver(user.id)
  const subjects = users
    .filter(({ id, disabled }) => id !== user.id && !disabled)
    .map(({ id, username }): NamedSubject => ({ kind: 'user', id, name: username }))
  const chosen = subjects.find((one) => successor !== null && keyOf(one) === keyOf(successor)) ?? null
  // Not at every letter.
  const preview = useBelongings(user.id, { to: chosen?.id ?? null, folder: useDeferredValue(folder) })
  const found = preview.data
  const isOwn = found?.home.state === 'own'
  const problems =
    found === undefined || chosen === null ? [] : found.problems.filter((one) => terms.files === 'move' || one === 'disabled')
  const hasBadName = isAppError(preview.error, 'invalid-input')

  const begin = async () => {
    if (chosen === null) return
    const to = displayName(chosen.name)
    const sure = await ask('confirm', {
      title: t('leave.sure', { name, to }),
      text: t(terms.account === 'delete' ? 'users.delete.text' : 'users.disable.text'),
      confirmLabel: t('leave.start'),
      danger: true,
    })
    if (sure !== null) start.mutate({ ...terms, to: chosen.id, folder })
  }
  return (
    <>
      <Section title={t('leave.start')}>
        <SubjectPicker label={t('leave.to')} subjects={subjects} value={chosen} onValue={setSuccessor} />
        <div role="alert">
          {problems.map((problem) => (
            <FieldMessage key={problem} tone="error" text={t(PROBLEMS[problem])} />
          ))}
        </div>
        <Switch
          label={t('leave.move')}
          checked={terms.files === 'move'}
          onChecked={(isOn) => setTerms({ ...terms, files: isOn ? 'move' : 'stay' })}
        />
        {terms.files === 'move' && isOwn && (
          <TextField label={t('leave.folder')} value={folder} error={hasBadName ? t('import.issue.scope') : null} onValue={setFolder} />
        )}
        <Switch
          label={t('leave.pass')}
          hint={t('leave.pass.hint')}
          checked={terms.shares === 'pass'}
          onChecked={(isOn) => setTerms({ ...terms, shares: isOn ? 'pass' : 'end' })}
        />
        {terms.shares === 'pass' && terms.account === 'disable' && (
          <Switch
            label={t('leave.keep')}
            hint={t('leave.keep.hint')}
            checked={terms.rest === 'keep'}
            onChecked={(isOn) => setTerms({ ...terms, rest: isOn ? 'keep' : 'end' })}
          />
        )}
        <Switch
          label={t('leave.delete')}
          checked={terms.account === 'delete'}
          onChecked={(isOn) => setTerms({ ...terms, account: isOn ? 'delete' : 'disable' })}
        />
      </Section>
      <div className="grid gap-4" aria-busy={preview.isFetching}>
        <h3 className="text-section tracking-none">{t('leave.what')}</h3>
        {found === undefined && preview.error === null && <Loading height="120px" size={24} tone="faint" />}
        {preview.error !== null && !hasBadName && <FieldMessage tone="error" text={errorText(preview.error)} />}
        {found !== undefined && <BelongingsList found={found} choice={terms} isChosen={chosen !== null} name={name} />}
      </div>
      <div className="grid gap-3">
        <div role="alert">{start.error !== null && <FieldMessage tone="error" text={errorText(start.error)} />}</div>
        <div>
          <Button
            label={t('leave.start')}
            variant="danger"
            icon={UserRoundX}
            iconSize={17}
            busy={start.isPending}
            disabled={chosen === null || problems.length > 0 || hasBadName || found === undefined || preview.isPlaceholderData}
            onClick={() => void begin()}
          />
        </div>
      </div>
    </>
  )
}
