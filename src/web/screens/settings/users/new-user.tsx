import { useState } from 'react'
import { useNavigate } from '../../../router/router.tsx'
import type { Settings } from '../../../../shared/contract/settings.ts'
import { changedPlaces } from '../../../../shared/changes.ts'
import { notify } from '../../../data/notices.ts'
import { useUnsavedGuard } from '../../../data/unsaved.ts'
import { useCreateUser } from '../../../data/users.ts'
import { t } from '../../../i18n/i18n.tsx'
import { unsavedQuestion } from '../confirmations.ts'
import { issuesIn } from '../issues.ts'
import { newDraft, scopeOf, userOf } from '../../../widgets/user-draft.ts'
import { UserForm } from './user-form.tsx'

/** Form for a new user, starting with the defaults; then opens the new record. */
export function NewUser({ settings }: { settings: Settings }) {
  const [base] = useState(() => newDraft(settings))
  const [draft, setDraft] = useState(base)
  const navigate = useNavigate()
  const create = useCreateUser()
  const [noScope, setNoScope] = useState(false)
  const changes = changedPlaces(base, draft).length
  const letGo = useUnsavedGuard(changes > 0, unsavedQuestion())

  const submit = () => {
    const scope = scopeOf(draft, settings)
    const { id: _, ...data } = userOf({ ...draft, scope: scope ?? '' })
    const hasNoScope = scope === null && draft.username.trim() !== ''
    setNoScope(hasNoScope)
    if (!hasNoScope) create.mutate(data, { onSuccess: onCreated })
  }
  const onCreated = (place: string | null) => {
    if (place === null) return
    notify({ tone: 'success', text: t('user.created') })
    letGo()
    void navigate(place)
  }
  const discard = () => {
    setNoScope(false)
    create.reset()
    setDraft(base)
  }
  return (
    <UserForm
      title={t('user.new')}
      draft={draft}
      settings={settings}
      savedScope={draft.scopeKind === 'whole' ? '/' : null}
      issues={noScope ? ['scope: no folder of this name'] : issuesIn(create.error)}
      changes={changes}
      busy={create.isPending}
      onDraft={setDraft}
      onDiscard={discard}
      onSubmit={submit}
    />
  )
}
