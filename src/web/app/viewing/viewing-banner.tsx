import { Eye } from 'lucide-react'
import { useEffect, useState } from 'react'
import { HOME_URL } from '../../data/share-context.ts'
import { leaveViewing, useViewing } from '../../data/viewings.ts'
import { formatTime } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { displayName } from '../../widgets/display-name.ts'
import styles from './viewing-banner.module.css'

/** Above all that is seen as somebody else: as whom, until when, and the way back. It says so when the view has ended. */
export function ViewingBanner() {
  const { data, isError } = useViewing()
  const isOver = useIsOver(data?.until ?? null) || isError
  if (data === undefined && !isOver) return null
  const text =
    isOver || data === undefined
      ? t('view.ended')
      : t('view.banner', { name: displayName(data.user.name), time: formatTime(new Date(data.until)) })
  return (
    <div className={styles.banner} role="region" aria-label={text} data-part="viewing">
      <Eye size={18} strokeWidth={1.75} className="rigid" aria-hidden />
      <p className="grow break-anywhere" aria-live="polite">
        {text}
      </p>
      <Button label={t('view.leave')} size="small" onClick={() => void leaveViewing(HOME_URL)} />
    </div>
  )
}

function useIsOver(until: number | null): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (until === null) return
    const timer = setTimeout(() => setOver(true), Math.max(0, until - Date.now()))
    return () => clearTimeout(timer)
  }, [until])
  return isOver
}
