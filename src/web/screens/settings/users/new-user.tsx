import { useState } from 'react'
import { useNavigate } from '../../../router/router.tsx'
import type { Settings } from '../../../../shared/contract/settings.ts'
import { changedPlaces } from '../../../../shared/changes.ts'
import { AppError } from '../../../../shared/errors.ts'
import { notify } from '../../../data/notices.ts'
import { useUnsavedGuard } from '../../../data/unsaved.ts'
import { useCreateUser } from '../../../data/users.ts'
import { t } from '../../../i18n/i18n.tsx'
import { unsavedQuestion } from '../confirmations.ts'
import { newDraft, scopeOf, userOf } from './draft.ts'
import { UserForm } from './user-form.tsx'
import { useFormErrors } from './use-form-errors.ts'

/** Form for a new user, starting with the defaults; then opens the new record. */
export function NewUser({ settings }: { settings: Settings }) {
  const [base] = useState(() => newDraft(settings))
  const [draft, setDraft] = useState(base)
  const navigate = useNavigate()
  const create = useCreateUser()
  const { issues, refused, forget } = useFormErrors()
  const changes = changedPlaces(base, draft).length
  const letGo = useUnsavedGuard(changes > 0, unsavedQuestion())

  const submit = async () => {
    const scope = scopeOf(draft, settings)
    const { id: _, ...data } = userOf({ ...draft, scope: scope ?? '' })
    try {
      if (scope === null && draft.username.trim() !== '')
        throw new AppError('invalid-input', { issues: ['data.scope: no folder of this name'] })
      const place = await create.mutateAsync(data)
      if (place === null) return
      notify({ tone: 'success', text: t('user.created') })
      letGo()
      void navigate(place)
    } catch (error) {
      refused(error)
    }
  }
  const discard = () => {
    forget()
    setDraft(base)
  }
  return (
    <UserForm
      title={t('user.new')}
      draft={draft}
      settings={settings}
      savedScope={draft.scopeKind === 'whole' ? '/' : null}
      issues={issues}
      changes={changes}
      busy={create.isPending}
      onDraft={setDraft}
      onDiscard={discard}
      onSubmit={() => void submit()}
    />
  )
}
