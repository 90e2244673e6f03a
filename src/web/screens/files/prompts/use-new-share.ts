import { useState } from 'react'
import type { Share } from '../../../../shared/contract/shares.ts'
import { isAppError } from '../../../../shared/errors.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { useMakeShare } from '../../../data/shares.ts'
import { durationOf, type Expiry } from '../../../widgets/expiry.ts'
import { draftOf, problemsOf, type ShareDraft, changesIn } from '../../../widgets/share-draft.ts'

const FOR_EVER: Expiry = { term: 'never', date: '' }

export interface NewShareState {
  readonly lasting: Expiry
  readonly password: string
  readonly draft: ShareDraft
  readonly changeLasting: (lasting: Expiry) => void
  readonly changePassword: (password: string) => void
  readonly changeDraft: (fields: Partial<ShareDraft>) => void
  /** Whether the form was submitted. */
  readonly tried: boolean
  /** The custom name that is taken. */
  readonly takenSlug: string | null
  /** Any other error. */
  readonly error: unknown
  readonly busy: boolean
  readonly submit: () => void
}

/** State and submission of the form for a new link. */
export function useNewShare(path: FilePath, { onMade }: { onMade: (share: Share) => void }): NewShareState {
  const [lasting, setLasting] = useState(FOR_EVER)
  const [password, setPassword] = useState('')
  const [draft, setDraft] = useState(() => draftOf())
  const [tried, setTried] = useState(false)
  const make = useMakeShare(path)
  const takenSlug = isAppError(make.error, 'already-exists') ? make.error.detail.path : null

  const submit = () => {
    setTried(true)
    const duration = durationOf(lasting, new Date())
    if (duration === null || Object.keys(problemsOf(draft)).length > 0) return
    make.mutate(
      { ...duration, password: password.trim(), options: changesIn(draft) },
      {
        onSuccess: (made) => {
          setLasting(FOR_EVER)
          setPassword('')
          setDraft(draftOf())
          setTried(false)
          onMade(made)
        },
      },
    )
  }
  return {
    lasting,
    password,
    draft,
    tried,
    takenSlug,
    submit,
    changeLasting: setLasting,
    changePassword: setPassword,
    changeDraft: (fields) => setDraft({ ...draft, ...fields }),
    error: takenSlug === null ? make.error : null,
    busy: make.isPending,
  }
}
