import { ShieldOff, Trash2, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from '../../../router/router.tsx'
import { isAppError } from '../../../../shared/errors.ts'
import type { PlannedChange } from '../../../../shared/contract/explain.ts'
import type { Settings } from '../../../../shared/contract/settings.ts'
import type { User } from '../../../../shared/contract/users.ts'
import { changedPlaces } from '../../../../shared/changes.ts'
import { useRemoveFactors } from '../../../data/factors.ts'
import { notify } from '../../../data/notices.ts'
import { ask } from '../../../data/prompts.ts'
import { useUnsavedGuard } from '../../../data/unsaved.ts'
import { useRemoveUser, useSaveUser } from '../../../data/users.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button, buttonClassName } from '../../../ui/button.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { mayReplace, unsavedQuestion } from '../confirmations.ts'
import { issuesIn } from '../issues.ts'
import { draftOf, userOf } from '../../../widgets/user-draft.ts'
import { GroupsOfUser } from './groups-of-user.tsx'
import { QuotaSection } from '../quotas/quota-section.tsx'
import { Section } from '../section.tsx'
import { TokenList } from '../tokens/token-list.tsx'
import { pageConfig } from '../../../data/page-config.ts'
import { PasswordLinkSection } from './password-link-section.tsx'
import { UserForm } from './user-form.tsx'
import { ViewAsSection } from './view-as-section.tsx'
import styles from './user-form.module.css'

/** What of the edits is about files; null if nothing is. */
function plannedFor(before: User, { id, scope, perm, rules, hideDotfiles }: User): PlannedChange | null {
  const mine = { scope, perm, rules, hideDotfiles }
  const now = { scope: before.scope, perm: before.perm, rules: before.rules, hideDotfiles: before.hideDotfiles }
  return changedPlaces(now, mine).length === 0 ? null : { what: 'account', id, ...mine }
}

export function ExistingUser({ user, settings }: { user: User; settings: Settings }) {
  const [base, setBase] = useState(user)
  const [draft, setDraft] = useState(() => draftOf(user))
  const navigate = useNavigate()
  const save = useSaveUser({
    onSaved(saved) {
      show(saved)
      notify({ tone: 'success', text: t('user.updated') })
    },
  })
  const remove = useRemoveUser({
    onRemoved() {
      notify({ tone: 'success', text: t('user.deleted') })
      letGo()
      void navigate('/settings/users')
    },
  })
  // Normalised by the form, so that stored commands with spaces do not look changed.
  const before = userOf(draftOf(base))
  const mine = userOf(draft)
  const changes = changedPlaces(before, mine).length
  const letGo = useUnsavedGuard(changes > 0, unsavedQuestion())
  const name = displayName(base.username)
  const handOverPage = `/settings/users/hand-over/${base.id}`
  const show = (next: User) => {
    setBase(next)
    setDraft(draftOf(next))
  }
  // Show changes of other tabs unless there are unsaved edits here.
  if (user !== base && changes === 0 && !save.isPending) show(user)

  const onRefused = (error: unknown) => {
    if (isAppError(error, 'forbidden')) notify({ tone: 'error', text: t('errors.forbidden.text'), reportable: false })
  }
  const removeFactors = useRemoveFactors({ onRemoved: () => notify({ tone: 'success', text: t('user.factors.removed') }) })
  const removeTheirFactors = async () => {
    const sure = await ask('confirm', {
      title: t('user.factors.remove.title', { name }),
      text: t('user.factors.text'),
      confirmLabel: t('user.factors.remove'),
      danger: true,
    })
    if (sure !== null) removeFactors.mutate(base.id)
  }
  const removeThem = async () => {
    const sure = await ask('confirm', {
      title: t('user.delete.title', { name }),
      text: t('user.delete.text'),
      confirmLabel: t('user.delete'),
      danger: true,
      offer: t('leave.first'),
    })
    if (sure === 'offer') void navigate(handOverPage)
    else if (sure !== null) remove.mutate({ id: base.id }, { onError: onRefused })
  }
  return (
    <UserForm
      title={t('user.title', { name })}
      draft={draft}
      settings={settings}
      savedScope={base.scope}
      issues={issuesIn(save.error)}
      changes={changes}
      busy={save.isPending}
      onDraft={setDraft}
      onDiscard={() => {
        save.reset()
        show(base)
      }}
      onSubmit={() => save.mutate({ base: before, mine, mayReplace })}
      effect={plannedFor(before, mine)}
      sections={
        <>
          <GroupsOfUser id={base.id} />
          <QuotaSection who={{ kind: 'user', id: base.id }} />
          <ViewAsSection user={base} />
          {pageConfig.AuthMethod === 'json' && <PasswordLinkSection user={base} />}
          <Section title={t('title.tokens')} text={t('tokens.user.text')}>
            <TokenList of={base.id} />
          </Section>
        </>
      }
    >
      {user.secondFactor === true && (
        <div className={styles.danger}>
          <p className={styles.dangerText}>{t('user.factors.text')}</p>
          <Button
            label={t('user.factors.remove')}
            icon={ShieldOff}
            iconSize={17}
            busy={removeFactors.isPending}
            onClick={() => void removeTheirFactors()}
          />
        </div>
      )}
      <div className={styles.danger}>
        <p className={styles.dangerText}>{t('leave.text')}</p>
        <Link to={handOverPage} className={buttonClassName({})}>
          <UserRoundX size={17} strokeWidth={1.75} aria-hidden />
          {t('leave.open')}
        </Link>
      </div>
      <div className={styles.danger}>
        <p className={styles.dangerText}>{t('user.delete.text')}</p>
        <Button
          label={t('user.delete')}
          variant="danger"
          icon={Trash2}
          iconSize={17}
          busy={remove.isPending}
          onClick={() => void removeThem()}
        />
      </div>
    </UserForm>
  )
}
