import { useViewingsOfMe } from '../../../data/viewings.ts'
import { formatDate, formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Card } from '../../../ui/card.tsx'
import { displayName } from '../../../widgets/display-name.ts'

/** Administrators who looked at the files as the user; nothing if nobody did. */
export function ViewingsCard() {
  const { data = [] } = useViewingsOfMe()
  if (data.length === 0) return null
  return (
    <Card title={t('view.mine.title')} text={t('view.mine.text')}>
      <ul aria-label={t('view.mine.title')}>
        {data.map(({ by, from, until }) => (
          <li key={from} className="text-small break-anywhere">
            <bdi>{displayName(by)}</bdi> · {formatDate(new Date(from))} – {formatTime(new Date(until))}
          </li>
        ))}
      </ul>
    </Card>
  )
}
