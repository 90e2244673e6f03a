import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { PasskeyDismissed } from '../../data/passkeys.ts'
import { offerPasskeys, signInWithPasskey } from '../../data/second-step.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'

/** Signs in with a passkey alone. The browser also offers passkeys where it fills in the name. @param onFailure an answer that was not accepted */
export function PasskeyButton({ onFailure }: { onFailure: (error: unknown) => void }) {
  const offer = useRef<AbortController | null>(null)
  const sign = useMutation({
    meta: { shows: 'all' },
    mutationFn() {
      // Browsers ask one question at a time.
      offer.current?.abort()
      return signInWithPasskey({ remember: true })
    },
    onError: (error) => !(error instanceof PasskeyDismissed) && onFailure(error),
  })
  const refused = useEffectEvent(onFailure)
  // The browser keeps the question open until it is answered or taken back.
  useEffect(() => {
    const asked = new AbortController()
    offer.current = asked
    void offerPasskeys(asked.signal, { onFailure: refused }).catch(() => undefined)
    return () => asked.abort()
  }, [])
  return (
    <Button
      label={t('login.passkey')}
      icon={KeyRound}
      size="large"
      wide
      busy={sign.isPending || sign.isSuccess}
      onClick={() => sign.mutate()}
    />
  )
}
