import { Check, Pencil, UserRound, UsersRound, X } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import {
  MOST_RECIPIENTS_FOUND,
  type NamedRecipient,
  type PeopleShare,
  SHARE_ROLES,
  type ShareRole,
} from '../../../../shared/contract/people-shares.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { ask } from '../../../data/prompts.ts'
import { useChangePeopleShare, useEndPeopleShare, useFoundRecipients, usePeopleSharesOf } from '../../../data/people-shares.ts'
import { formatDistanceTo } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useKeepFocus } from '../../../ui/use-keep-focus.ts'
import { displayName } from '../../../widgets/display-name.ts'
import { ExpiryField } from '../../../widgets/expiry-field.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { keyOf, labelOf } from '../../../widgets/subject-picker.tsx'
import styles from './people-panel.module.css'
import type { NewPeopleShareState } from './use-new-people-share.ts'

/** With whom an entry is shared, and the form to share it. */
export function PeoplePanel({ path, form }: { path: FilePath; form: NewPeopleShareState }) {
  const { data, error } = usePeopleSharesOf(path)
  const { who, before, role, lasting, message, tried, done } = form
  const failure = form.error ?? error
  const held = useKeepFocus<HTMLUListElement>()
  return (
    <div className="grid gap-6" data-part="people-shares">
      <fieldset className={styles.form}>
        {who === null ? (
          <Finder taken={data ?? (error === null ? undefined : [])} onFound={form.choose} missing={tried} />
        ) : (
          <div className={styles.chosen}>
            <RecipientIcon who={who} />
            <bdi className="grow break-anywhere">{labelOf(who)}</bdi>
            <IconButton autoFocus label={t('people.other')} icon={X} onClick={() => form.clear()} />
          </div>
        )}
        <RoleOfShare label={t('access.role')} value={role} onValue={form.changeRole} />
        <Disclosure key={before?.id} label={t('share.more')} open={before !== null && (before.expire !== 0 || before.message !== '')}>
          <div className="grid gap-6">
            <ExpiryField
              label={t('shares.duration')}
              autoFocus={false}
              expiry={lasting}
              tried={tried}
              onExpiry={form.changeLasting}
              before={before?.expire}
            />
            <TextArea label={t('people.message')} maxLength={1000} value={message} onValue={form.changeMessage} />
          </div>
        </Disclosure>
      </fieldset>
      <div role="alert">{failure !== null && <FieldMessage tone="error" text={errorText(failure)} />}</div>
      <p role="status" className={done === null ? 'sr-only' : styles.done}>
        {done !== null && (
          <>
            <Check size={18} strokeWidth={1.75} aria-hidden />
            {t(done.ended ? 'people.ended' : 'people.done', { name: displayName(done.name) })}
          </>
        )}
      </p>
      {data === undefined && error === null && <Loading height="72px" />}
      {data?.length === 0 && <p className="muted text-small">{t('people.none')}</p>}
      {data !== undefined && data.length > 0 && (
        <section className="grid gap-3">
          <h3 className="strong">{t('people.list')}</h3>
          <ul {...held} className={styles.lines} aria-label={t('people.list')}>
            {data.map((share) => (
              <ShareLine key={share.id} share={share} onChange={() => form.choose(share.who, share)} onEnded={form.tellEnded} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

interface ShareLineProps {
  share: PeopleShare
  /** Puts the share into the form. */
  onChange: () => void
  onEnded: (who: NamedRecipient) => void
}

function ShareLine({ share: { id, who, role, expire, message }, onChange, onEnded }: ShareLineProps) {
  const change = useChangePeopleShare()
  const end = useEndPeopleShare()
  const failure = change.error ?? end.error
  const askEnd = async () => {
    const title = t('people.end.title', { name: labelOf(who) })
    if ((await ask('confirm', { title, confirmLabel: t('people.end.confirm'), danger: true }, { onTop: true })) !== true) return
    // The line is gone by then. It shows an error itself.
    await end.mutateAsync({ id }).then(
      () => onEnded(who),
      () => undefined,
    )
  }
  return (
    <li className={styles.line}>
      <RecipientIcon who={who} />
      <span className="grid grow shrinkable">
        <bdi className="break-anywhere">{labelOf(who)}</bdi>
        {expire !== 0 && <span className="muted text-caption">{t('share.lasts.until', { end: formatDistanceTo(expire) })}</span>}
        {message !== '' && <bdi className="muted text-caption break-anywhere">{message}</bdi>}
        {failure !== null && <FieldMessage tone="error" text={errorText(failure)} />}
      </span>
      <RoleOfShare
        label={t('access.role-of', { name: labelOf(who) })}
        labelHidden
        value={role}
        disabled={change.isPending || end.isPending}
        onValue={(next) => change.mutate({ id, change: { role: next } })}
      />
      <IconButton label={t('people.change', { name: labelOf(who) })} icon={Pencil} disabled={end.isPending} onClick={onChange} />
      <IconButton label={t('people.end', { name: labelOf(who) })} icon={X} disabled={end.isPending} onClick={() => void askEnd()} />
    </li>
  )
}

interface RoleOfShareProps {
  label: string
  labelHidden?: boolean
  value: ShareRole
  disabled?: boolean
  onValue: (role: ShareRole) => void
}

function RoleOfShare(props: RoleOfShareProps) {
  const hint = props.labelHidden === true ? undefined : t(`role.${props.value}.text`)
  return <Select {...props} hint={hint} options={SHARE_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))} />
}

function RecipientIcon({ who }: { who: NamedRecipient }) {
  const Icon = who.kind === 'group' ? UsersRound : UserRound
  return <Icon className="rigid faint" size={20} strokeWidth={1.75} aria-hidden />
}

interface FinderProps {
  /** Shares of the entry; undefined until they have arrived. */
  taken: readonly PeopleShare[] | undefined
  /** `theirs`: the share that they have already. */
  onFound: (who: NamedRecipient, theirs: PeopleShare | null) => void
  /** Whether the form was submitted without anybody. */
  missing: boolean
}

/** Finds a person or a group by the beginning of the name. */
function Finder({ taken, onFound, missing }: FinderProps) {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim())
  const { data, error } = useFoundRecipients(wanted)
  // Whom it is shared with already is known only then.
  const found = taken === undefined ? [] : (data ?? [])
  const isEmpty = wanted !== '' && data?.length === 0
  const theirsOf = (who: NamedRecipient) => taken?.find((share) => keyOf(share.who) === keyOf(who)) ?? null
  const problem = error !== null ? errorText(error) : isEmpty ? t('people.nobody') : missing ? t('people.hint') : null
  return (
    <div className="grid gap-3">
      <TextField
        label={t('access.who')}
        hint={t('people.hint')}
        type="search"
        verbatim
        autoComplete="off"
        autoFocus
        maxLength={100}
        value={text}
        error={problem}
        onValue={setText}
        onKeyDown={(event) => {
          const [only] = found
          if (event.key !== 'Enter' || only === undefined || wanted !== text.trim()) return
          event.preventDefault()
          onFound(only, theirsOf(only))
        }}
      />
      {found.length > 0 && (
        <ul className={styles.found} aria-label={t('people.found')}>
          {found.map((who) => {
            const theirs = theirsOf(who)
            return (
              <li key={keyOf(who)}>
                <button type="button" className={styles.choice} onClick={() => onFound(who, theirs)}>
                  <RecipientIcon who={who} />
                  <bdi className="break-anywhere">{labelOf(who)}</bdi>
                  {theirs !== null && <span className="muted text-caption nowrap">{t(`role.${theirs.role}`)}</span>}
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {found.length >= MOST_RECIPIENTS_FOUND && <p className="muted text-small">{t('people.more')}</p>}
    </div>
  )
}
