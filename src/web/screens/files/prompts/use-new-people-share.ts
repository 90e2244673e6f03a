import { useState } from 'react'
import type { NamedRecipient, PeopleShare, ShareRole } from '../../../../shared/contract/people-shares.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { useSharePeople } from '../../../data/people-shares.ts'
import { type Expiry, expiresAt } from '../../../widgets/expiry.ts'

const FOR_EVER: Expiry = { term: 'never', date: '' }

export type NewPeopleShareState = ReturnType<typeof useNewPeopleShare>

/** State and submission of the form that shares an entry with a person or a group. */
export function useNewPeopleShare(path: FilePath) {
  const [who, setWho] = useState<NamedRecipient | null>(null)
  /** Their share, if they have one. */
  const [before, setBefore] = useState<PeopleShare | null>(null)
  const [role, setRole] = useState<ShareRole>('viewer')
  const [lasting, setLasting] = useState(FOR_EVER)
  const [message, setMessage] = useState('')
  const [tried, setTried] = useState(false)
  const [done, setDone] = useState<string | null>(null)
  const share = useSharePeople(path)

  /** Begins with what they have already, which is changed then. */
  const choose = (chosen: NamedRecipient, theirs: PeopleShare | null) => {
    setWho(chosen)
    setBefore(theirs)
    setTried(false)
    if (theirs === null) return
    setRole(theirs.role)
    setLasting(theirs.expire === 0 ? FOR_EVER : { term: 'keep', date: '' })
    setMessage(theirs.message)
  }
  const clear = () => {
    setWho(null)
    setBefore(null)
    setTried(false)
    if (before === null) return
    setRole('viewer')
    setLasting(FOR_EVER)
    setMessage('')
  }

  const submit = () => {
    const expire = lasting.term === 'keep' ? (before?.expire ?? 0) : expiresAt(lasting, new Date())
    setTried(true)
    if (who === null || expire === null) return
    const { kind, id, name } = who
    share.mutate(
      { who: { kind, id }, role, expire, message },
      {
        onSuccess: () => {
          setWho(null)
          setBefore(null)
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
    before,
    role,
    lasting,
    message,
    /** Whether the form was submitted. */
    tried,
    /** With whom it was just shared. */
    done,
    submit,
    choose,
    clear,
    changeRole: setRole,
    changeLasting: setLasting,
    changeMessage: setMessage,
    error: share.error,
    busy: share.isPending,
  }
}
