import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { orElse } from '../../shared/errors.ts'
import type { Rule } from '../../shared/contract/users.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { t } from '../i18n/i18n.tsx'
import { classes } from '../ui/classes.ts'
import { TextField } from '../ui/text-field.tsx'
import styles from './rules-editor.module.css'
import type { RuleEngine } from './use-rule-engine.ts'

export interface RuleTestProps {
  engine: RuleEngine | null
  rules: readonly Rule[]
  earlier: readonly Rule[]
}

/** Shows which rule decides for a typed path. */
export function RuleTest({ engine, rules, earlier }: RuleTestProps) {
  const [text, setText] = useState('')
  const path = text.trim() === '' ? null : pathOf(text.trim())
  const problem = text.trim() !== '' && path === null ? t('rules.test.no-path') : null
  return (
    <div className={styles.test}>
      <TextField
        label={t('rules.test')}
        dir="ltr"
        placeholder={t('rules.test.placeholder')}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        error={problem}
        // Enter must not submit the surrounding form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        value={text}
        onValue={setText}
      />
      <p role="status" className={styles.status}>
        {path !== null && engine !== null && <Verdict engine={engine} path={path} rules={rules} earlier={earlier} />}
      </p>
    </div>
  )
}

function Verdict({ engine, path, rules, earlier }: RuleTestProps & { engine: RuleEngine; path: FilePath }) {
  const all = [...earlier, ...rules]
  const at = engine.decidingRule(all, path)
  const shown = all[at]?.allow ?? true
  return (
    <span className={classes(styles.verdict, shown ? styles.shown : styles.hidden)}>
      {shown ? <Eye size={16} aria-hidden /> : <EyeOff size={16} aria-hidden />}
      {shown ? t('rules.test.shown') : t('rules.test.hidden')}
      <span className={styles.because}>{becauseOf(at, earlier.length)}</span>
    </span>
  )
}

function becauseOf(at: number, before: number): string {
  if (at === -1) return t('rules.test.none')
  return at < before ? t('rules.test.global', { number: at + 1 }) : t('rules.test.rule', { number: at - before + 1 })
}

/** Null for an invalid path. */
function pathOf(text: string): FilePath | null {
  return orElse(null, () => parseFilePath(text))
}
