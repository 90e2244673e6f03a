import { useState } from 'react'
import type { NamedRecipient, PeopleShare, ShareRole } from '../../../../shared/contract/people-shares.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { useSharePeople } from '../../../data/people-shares.ts'
import { type Expiry, expiresAt } from '../../../widgets/expiry.ts'

const FOR_EVER: Expiry = { term: 'never', date: '' }

interface Done {
  readonly name: string
  readonly ended: boolean
}

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
  const [done, setDone] = useState<Done | null>(null)
  const share = useSharePeople(path)

  /** Begins with what they have already, which is changed then. */
  const choose = (chosen: NamedRecipient, theirs: PeopleShare | null) => {
    setWho(chosen)
    setDone(null)
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
          setRole('viewer')
          setDone({ name, ended: false })
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
    /** With whom it was just shared, or not any longer. */
    done,
    submit,
    choose,
    tellEnded: ({ name }: NamedRecipient) => setDone({ name, ended: true }),
    clear,
    changeRole: setRole,
    changeLasting: setLasting,
    changeMessage: setMessage,
    error: share.error,
    busy: share.isPending,
  }
}
