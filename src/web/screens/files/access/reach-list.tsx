import { Eye, EyeOff, Link2, UsersRound } from 'lucide-react'
import { useState } from 'react'
import type { Reach, ReachingLink, ReachingShare, RightsSource, SeeingReason, Whose } from '../../../../shared/contract/explain.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { type ReachWish, useReach } from '../../../data/explain.ts'
import { formatDate } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useSettled } from '../../../ui/use-settled.ts'
import { displayName, pathInSentence } from '../../../widgets/display-name.ts'
import { Loading } from '../../../widgets/loading.tsx'
import { roleText } from '../../../widgets/role-select.tsx'
import { labelOf } from '../../../widgets/subject-picker.tsx'
import styles from './access-dialog.module.css'

const TYPED_MS = 200

/** Everybody with what they may do with a file or folder, and why; and the links that lead there. */
export function ReachList({ path }: { path: FilePath }) {
  const [text, setText] = useState('')
  const [only, setOnly] = useState<'' | 'reaching' | 'others'>('reaching')
  const typed = useSettled(text.trim(), TYPED_MS)
  const wish: ReachWish = { ...(typed !== '' && { text: typed }), ...(only !== '' && { only }) }
  return (
    <div className="grid gap-5" data-part="reach">
      <div className={styles.finding}>
        <TextField label={t('reach.find')} type="search" value={text} onValue={setText} />
        <Select
          label={t('users.only')}
          value={only}
          options={[
            { value: 'reaching', label: t('reach.only.reaching') },
            { value: 'others', label: t('reach.only.others') },
            { value: '', label: t('reach.only.all') },
          ]}
          onValue={setOnly}
        />
      </div>
      <Found path={path} wish={wish} />
    </div>
  )
}

function Found({ path, wish }: { path: FilePath; wish: ReachWish }) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useReach(path, wish)
  if (data === undefined) {
    if (error !== null) return <FieldMessage tone="error" text={errorText(error)} />
    return <Loading height="96px" size={24} tone="faint" />
  }
  const people = data.pages.flatMap((page) => page.people)
  const { links = [], shares = [] } = data.pages[0] ?? {}
  return (
    <>
      <p role="status" className="muted text-small">
        {t('reach.count', { count: data.pages.at(-1)?.reaching ?? 0 })}
      </p>
      {people.length === 0 && <p className="muted text-small">{t('users.none.any')}</p>}
      <ul className={styles.lines} aria-label={t('reach.title')}>
        {people.map((reach) => (
          <Person key={reach.id} reach={reach} />
        ))}
      </ul>
      {hasNextPage && (
        <div>
          <Button label={t('activity.more')} size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        </div>
      )}
      {shares.length > 0 && (
        <ul className={styles.lines} aria-label={t('reach.shares')}>
          {shares.map((share) => (
            <ShareLine key={share.id} share={share} />
          ))}
        </ul>
      )}
      {links.length > 0 && (
        <ul className={styles.lines} aria-label={t('reach.links')}>
          {links.map((link) => (
            <LinkLine key={link.hash} link={link} />
          ))}
        </ul>
      )}
    </>
  )
}

function Person({ reach: { username, sees, reason, rights, source } }: { reach: Reach }) {
  const Icon = sees ? Eye : EyeOff
  return (
    <li className={styles.line}>
      <Icon size={18} strokeWidth={1.75} className="muted rigid" aria-hidden />
      <span className={styles.who}>
        <bdi className="break-anywhere">{displayName(username)}</bdi>
        <span className="muted text-small break-anywhere">{seeingText(reason)}</span>
        {source !== null && <span className="muted text-small break-anywhere">{sourceText(source)}</span>}
      </span>
      <span className={styles.rights}>{sees ? roleText(rights) : t('reach.unseen')}</span>
    </li>
  )
}

function LinkLine({ link: { title, hash, owner, rights, hasPassword, expire, isHere } }: { link: ReachingLink }) {
  const notes = [isHere ? null : t('reach.link.above'), hasPassword ? t('reach.link.password') : null, untilText(expire)].filter(
    (note) => note !== null,
  )
  return (
    <li className={styles.line}>
      <Link2 size={18} strokeWidth={1.75} className="muted rigid" aria-hidden />
      <span className={styles.who}>
        <bdi className="break-anywhere">{title === '' ? t('reach.link', { hash }) : displayName(title)}</bdi>
        <span className="muted text-small break-anywhere">
          {[t('reach.link.owner', { name: displayName(owner) }), ...notes].join(' · ')}
        </span>
      </span>
      <span className={styles.rights}>{t(`share.rights.${rights}`)}</span>
    </li>
  )
}

function ShareLine({ share: { who, owner, role, expire, isHere } }: { share: ReachingShare }) {
  return (
    <li className={styles.line}>
      <UsersRound size={18} strokeWidth={1.75} className="muted rigid" aria-hidden />
      <span className={styles.who}>
        <bdi className="break-anywhere">{labelOf(who)}</bdi>
        <span className="muted text-small break-anywhere">
          {[
            t('reach.shared'),
            t('reach.link.owner', { name: displayName(owner) }),
            ...(isHere ? [] : [t('reach.link.above')]),
            untilText(expire),
          ].join(' · ')}
        </span>
      </span>
      <span className={styles.rights}>{t(`role.${role}`)}</span>
    </li>
  )
}

function untilText(expire: number): string {
  return expire === 0 ? t('reach.link.for-ever') : t('reach.link.until', { date: formatDate(new Date(expire * 1000)) })
}

function seeingText(reason: SeeingReason): string {
  if (reason.kind === 'disabled') return t('reach.why.disabled')
  if (reason.kind === 'outside') return t('reach.why.outside', { path: pathInSentence(reason.scope) })
  if (reason.kind === 'dotfile') return t('reach.why.dotfile')
  if (reason.kind === 'scope') return t('reach.why.scope')
  const values = { whose: nameOf(reason.whose), rule: displayName(reason.rule) }
  return reason.allow ? t('reach.why.allowed', values) : t('reach.why.denied', values)
}

function sourceText(source: RightsSource): string {
  if (source.kind === 'grant') return t('reach.by.role', { whose: nameOf(source.whose), path: pathInSentence(source.path) })
  if (source.kind === 'administrator')
    return source.group === null ? t('reach.by.admin') : t('reach.by.admin-group', { group: displayName(source.group) })
  return source.groups.length === 0
    ? t('reach.by.account')
    : t('reach.by.groups', { count: source.groups.length, groups: source.groups.map(displayName).join(', ') })
}

function nameOf(whose: Whose): string {
  return labelOf({ ...whose, id: 0 })
}
