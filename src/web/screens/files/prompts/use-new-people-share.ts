import { useState } from 'react'
import type { NamedRecipient, ShareRole } from '../../../../shared/contract/people-shares.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { useSharePeople } from '../../../data/people-shares.ts'
import { type Expiry, expiresAt } from '../../../widgets/expiry.ts'

const FOR_EVER: Expiry = { term: 'never', date: '' }

export type NewPeopleShareState = ReturnType<typeof useNewPeopleShare>

/** State and submission of the form that shares an entry with a person or a group. */
export function useNewPeopleShare(path: FilePath) {
  const [who, setWho] = useState<NamedRecipient | null>(null)
  const [role, setRole] = useState<ShareRole>('viewer')
  const [lasting, setLasting] = useState(FOR_EVER)
  const [message, setMessage] = useState('')
  const [tried, setTried] = useState(false)
  const [done, setDone] = useState<string | null>(null)
  const share = useSharePeople(path)

  const submit = () => {
    const expire = expiresAt(lasting, new Date())
    setTried(true)
    if (who === null || expire === null) return
    const { kind, id, name } = who
    share.mutate(
      { who: { kind, id }, role, expire, message },
      {
        onSuccess: () => {
          setWho(null)
          setLasting(FOR_EVER)
          setMessage('')
          setTried(false)
          setDone(name)
        },
      },
    )
  }
  return {
    who,
    role,
    lasting,
    message,
    /** Whether the form was submitted. */
    tried,
    /** With whom it was just shared. */
    done,
    submit,
    changeWho: setWho,
    changeRole: setRole,
    changeLasting: setLasting,
    changeMessage: setMessage,
    error: share.error,
    busy: share.isPending,
  }
}
