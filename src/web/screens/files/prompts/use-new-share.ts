import { useState } from 'react'
import type { Share } from '../../../../shared/contract/shares.ts'
import { isAppError } from '../../../../shared/errors.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { useMakeShare } from '../../../data/shares.ts'
import { durationOf, type Expiry } from '../../../widgets/expiry.ts'
import { draftOf, problemsOf, type ShareDraft, changesIn } from '../../../widgets/share-draft.ts'

const FOR_EVER: Expiry = { term: 'never', date: '' }

export type NewShareState = ReturnType<typeof useNewShare>

/** State and submission of the form for a new link. */
export function useNewShare(path: FilePath, { onMade }: { onMade: (share: Share) => void }) {
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
    /** Whether the form was submitted. */
    tried,
    /** The custom name that is taken. */
    takenSlug,
    submit,
    changeLasting: setLasting,
    changePassword: setPassword,
    changeDraft: (fields: Partial<ShareDraft>) => setDraft({ ...draft, ...fields }),
    /** Any other error. */
    error: takenSlug === null ? make.error : null,
    busy: make.isPending,
  }
}
