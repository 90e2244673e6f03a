import { ArrowDown, ArrowUp, FolderSearch, Trash2 } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { Rule } from '../../shared/contract/users.ts'
import { t } from '../i18n/i18n.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './rules-editor.module.css'
import { textOf, withKind, withText } from './rules.ts'

export interface RuleRowProps {
  rule: Rule
  at: number
  count: number
  /** The server's validation error, in English. */
  problem: string | null
  onRule: (rule: Rule) => void
  /** Asks for a folder. */
  onChoose: (() => Promise<string | null>) | null
  onMove: (to: number, part: 'up' | 'down') => void
  onRemove: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

export function RuleRow({ rule, at, count, problem, onRule, onChoose, onMove, onRemove, onKeyDown }: RuleRowProps) {
  const number = at + 1
  const choose = async () => {
    const path = (await onChoose?.()) ?? null
    if (path !== null) onRule(withText(rule, path))
  }
  const text = textOf(rule)
  return (
    <li className="grid gap-4 bordered rounded-menu pad-4" data-rule={at} onKeyDown={onKeyDown}>
      <div className="row wrap gap-4">
        <span className={styles.number} aria-hidden>
          {number}
        </span>
        <Segmented
          label={t('rules.verdict', { number })}
          value={rule.allow ? 'allow' : 'deny'}
          options={[
            { value: 'allow', label: t('rules.allow') },
            { value: 'deny', label: t('rules.deny') },
          ]}
          onValue={(verdict) => onRule({ ...rule, allow: verdict === 'allow' })}
        />
        <Segmented
          label={t('rules.kind', { number })}
          value={rule.regex ? 'pattern' : 'path'}
          options={[
            { value: 'path', label: t('rules.path') },
            { value: 'pattern', label: t('rules.pattern') },
          ]}
          onValue={(kind) => onRule(withKind(rule, kind === 'pattern'))}
        />
      </div>
      <div className={styles.line}>
        <TextField
          label={t('rules.text', { number })}
          verbatim
          labelHidden
          dir="ltr"
          className={styles.text}
          data-rule-part="text"
          placeholder={rule.regex ? t('rules.placeholder.pattern') : t('rules.placeholder.path')}
          value={text}
          error={problem === null ? null : problemText(rule, problem)}
          hint={text === '' && !rule.regex ? t('rules.blank') : undefined}
          onValue={(next) => onRule(withText(rule, next))}
          end={
            !rule.regex &&
            onChoose !== null && (
              <IconButton size="small" label={t('rules.choose', { number })} icon={FolderSearch} onClick={() => void choose()} />
            )
          }
        />
        <span className={styles.buttons}>
          <IconButton
            size="small"
            label={t('rules.up', { number })}
            icon={ArrowUp}
            data-rule-part="up"
            aria-disabled={at === 0 || undefined}
            onClick={() => onMove(at - 1, 'up')}
          />
          <IconButton
            size="small"
            label={t('rules.down', { number })}
            icon={ArrowDown}
            data-rule-part="down"
            aria-disabled={at === count - 1 || undefined}
            onClick={() => onMove(at + 1, 'down')}
          />
          <IconButton
            size="small"
            variant="danger"
            label={t('rules.delete', { number })}
            icon={Trash2}
            data-rule-part="delete"
            onClick={onRemove}
          />
        </span>
      </div>
    </li>
  )
}

function problemText(rule: Rule, problem: string): string {
  if (!rule.regex) return t('rules.problem.path')
  return textOf(rule) === '' ? t('rules.problem.empty') : t('rules.problem.pattern', { reason: problem.replace(/^regexp: /, '') })
}
