import { Eye, EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Rule } from '../../shared/contract/users.ts'
import { formatNumber } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { displayName } from './display-name.ts'
import { previewRules } from './rules.ts'
import styles from './rules-editor.module.css'
import type { RuleEngine } from './use-rule-engine.ts'

/** Further paths are only counted. */
const MOST_NAMED = 6

export interface RulesPreviewProps {
  engine: RuleEngine
  /** All applicable rules in order. */
  rules: readonly Rule[]
  /** Existing paths in the scope. */
  paths: readonly string[]
  /** Whose rules these are. */
  subject: string
}

/** Previews rules on existing paths before saving, with the server's own evaluation. */
export function RulesPreview({ engine, rules, paths, subject }: RulesPreviewProps) {
  const { seen, hidden } = previewRules(rules, paths, engine.decidingRule)
  return (
    <div className={styles.preview} role="status" data-part="rules-preview">
      {hidden.length > 0 && (
        <Line
          icon={<EyeOff size={16} aria-hidden />}
          className={styles.hidden}
          words={t('rules.preview.hidden', { who: subject })}
          places={hidden}
        />
      )}
      {seen.length > 0 && (
        <Line
          icon={<Eye size={16} aria-hidden />}
          className={styles.shown}
          words={t('rules.preview.seen', { who: subject })}
          places={seen}
        />
      )}
    </div>
  )
}

function Line({
  icon,
  className,
  words,
  places,
}: {
  icon: ReactNode
  className: string | undefined
  words: string
  places: readonly string[]
}) {
  const more = places.length - MOST_NAMED
  return (
    <div className={styles.outcome}>
      <span className={className}>{icon}</span>
      <p>
        <span className={className}>{words}</span>{' '}
        {places.slice(0, MOST_NAMED).map((place, at) => (
          <span key={place}>
            {at > 0 && ', '}
            <bdi className={styles.place}>{place === '/' ? t('rules.preview.everything') : displayName(place.slice(1))}</bdi>
          </span>
        ))}
        {more > 0 && <> {t('rules.preview.more', { number: formatNumber(more) })}</>}
      </p>
    </div>
  )
}
