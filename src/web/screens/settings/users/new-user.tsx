import { useState } from 'react'
import { useNavigate } from '../../../router/router.tsx'
import type { Settings } from '../../../../shared/contract/settings.ts'
import { isAppError } from '../../../../shared/errors.ts'
import { changedPlaces } from '../../../../shared/changes.ts'
import { notify } from '../../../data/notices.ts'
import { MADE } from '../../../data/use-focus-when-made.ts'
import { useUnsavedGuard } from '../../../data/unsaved.ts'
import { useCreateUser } from '../../../data/users.ts'
import { t } from '../../../i18n/i18n.tsx'
import { unsavedQuestion } from '../confirmations.ts'
import { issuesIn } from '../issues.ts'
import { newDraft, scopeOf, userOf } from '../../../widgets/user-draft.ts'
import { useMakeLink } from '../../../data/password-links.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { ask } from '../../../data/prompts.ts'
import type { Invitation } from './invitation-fields.tsx'
import { UserForm } from './user-form.tsx'

const NOBODY: Invitation = { isOn: false, address: '' }

/** Form for a new user, starting with the defaults; then opens the new record. */
export function NewUser({ settings }: { settings: Settings }) {
  const [base] = useState(() => newDraft(settings))
  const [draft, setDraft] = useState(base)
  const navigate = useNavigate()
  const create = useCreateUser()
  const makeLink = useMakeLink()
  const [noScope, setNoScope] = useState(false)
  const [noAddress, setNoAddress] = useState(false)
  const [invitation, setInvitation] = useState<Invitation>(NOBODY)
  const address = invitation.address.trim()
  const changes = changedPlaces({ ...base, ...NOBODY }, { ...draft, ...invitation }).length
  const letGo = useUnsavedGuard(changes > 0, unsavedQuestion())

  const submit = () => {
    const scope = scopeOf(draft, settings)
    const { id: _, ...data } = userOf({ ...draft, scope: scope ?? '' })
    const hasNoScope = scope === null && draft.username.trim() !== ''
    setNoScope(hasNoScope)
    const isWrong = invitation.isOn && address !== '' && !/^\S+@\S+$/.test(address)
    setNoAddress(isWrong)
    if (hasNoScope || isWrong) return
    const password = invitation.isOn ? '' : data.password
    create.mutate({ data: { ...data, password }, withoutPassword: invitation.isOn }, { onSuccess: (place) => void onCreated(place) })
  }
  const onCreated = async (place: string | null) => {
    if (place === null) return
    letGo()
    void navigate(place, { state: MADE })
    if (!invitation.isOn) return void notify({ tone: 'success', text: t('user.created') })
    // The account is there: its page makes another link. Other errors have their notice already.
    const link = await makeLink
      .mutateAsync({ userId: Number(place.split('/').at(-1)), address: address || undefined })
      .catch((error: unknown) => {
        if (isAppError(error, 'invalid-input')) notify({ tone: 'error', text: t('mail.address.wrong'), reportable: false })
        return null
      })
    if (link !== null) void ask('passwordLink', { username: draft.username.trim(), link })
  }
  const discard = () => {
    setNoScope(false)
    setNoAddress(false)
    create.reset()
    setDraft(base)
    setInvitation(NOBODY)
  }
  return (
    <UserForm
      title={t('user.new')}
      draft={draft}
      settings={settings}
      savedScope={draft.scopeKind === 'whole' ? '/' : null}
      invitation={pageConfig.AuthMethod === 'json' ? invitation : undefined}
      onInvitation={setInvitation}
      issues={[
        ...(noScope ? ['scope: no folder of this name'] : issuesIn(create.error)),
        ...(noAddress ? ['address: not an address'] : []),
      ]}
      changes={changes}
      busy={create.isPending}
      onDraft={setDraft}
      onDiscard={discard}
      onSubmit={submit}
    />
  )
}
