import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from '../../../router/router.tsx'
import { isAppError } from '../../../../shared/errors.ts'
import type { Settings } from '../../../../shared/contract/settings.ts'
import type { User } from '../../../../shared/contract/users.ts'
import { changedPlaces } from '../../../../shared/changes.ts'
import { notify } from '../../../data/notices.ts'
import { ask } from '../../../data/prompts.ts'
import { useUnsavedGuard } from '../../../data/unsaved.ts'
import { useRemoveUser, useSaveUser } from '../../../data/users.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { mayReplace, unsavedQuestion } from '../confirmations.ts'
import { draftOf, userOf } from './draft.ts'
import { useFormErrors } from './use-form-errors.ts'
import { UserForm } from './user-form.tsx'
import styles from './user-form.module.css'

export function ExistingUser({ user, settings }: { user: User; settings: Settings }) {
  const [base, setBase] = useState(user)
  const [draft, setDraft] = useState(() => draftOf(user))
  const navigate = useNavigate()
  const save = useSaveUser()
  const remove = useRemoveUser()
  const { issues, refused, forget } = useFormErrors()
  // Normalised by the form, so that stored commands with spaces do not look changed.
  const before = userOf(draftOf(base))
  const mine = userOf(draft)
  const changes = changedPlaces(before, mine).length
  const letGo = useUnsavedGuard(changes > 0, unsavedQuestion())
  const name = displayName(base.username)
  const show = (next: User) => {
    forget()
    setBase(next)
    setDraft(draftOf(next))
  }
  // Show changes of other tabs unless there are unsaved edits here.
  if (user !== base && changes === 0 && !save.isPending) show(user)

  const submit = async () => {
    try {
      const saved = await save.mutateAsync({ base: before, mine, mayReplace })
      if (saved === null) return
      show(saved)
      notify({ tone: 'success', text: t('user.updated') })
    } catch (error) {
      refused(error)
    }
  }
  const removeThem = async () => {
    const sure = await ask('confirm', {
      title: t('user.delete.title', { name }),
      text: t('user.delete.text'),
      confirmLabel: t('user.delete'),
      danger: true,
    })
    if (sure === null) return
    try {
      if ((await remove.mutateAsync({ id: base.id })) === null) return
      notify({ tone: 'success', text: t('user.deleted') })
      letGo()
      void navigate('/settings/users')
    } catch (error) {
      const forbidden = isAppError(error, 'forbidden')
      notify({ tone: 'error', text: forbidden ? t('errors.forbidden.text') : errorText(error), reportable: !forbidden })
    }
  }
  return (
    <UserForm
      title={t('user.title', { name })}
      draft={draft}
      settings={settings}
      savedScope={base.scope}
      issues={issues}
      changes={changes}
      busy={save.isPending}
      onDraft={setDraft}
      onDiscard={() => show(base)}
      onSubmit={() => void submit()}
    >
      <div className={styles.danger}>
        <p className={styles.dangerText}>{t('user.delete.text')}</p>
        <Button variant="danger" icon={<Trash2 size={17} strokeWidth={1.75} />} busy={remove.isPending} onClick={() => void removeThem()}>
          {t('user.delete')}
        </Button>
      </div>
    </UserForm>
  )
}
