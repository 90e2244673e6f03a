import { Plus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Rule } from '../../shared/contract/users.ts'
import { t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import { RuleRow } from './rule-row.tsx'
import { RulesPreview } from './rules-preview.tsx'
import { RuleTest } from './rule-test.tsx'
import { moved, NEW_RULE } from './rules.ts'
import styles from './rules-editor.module.css'
import { useRuleEngine } from './use-rule-engine.ts'

export interface RulesEditorProps {
  rules: readonly Rule[]
  /** Rules that are evaluated before these: the global ones, when editing a user's. */
  earlier?: readonly Rule[]
  /** Whose rules these are. */
  subject: string
  /** Existing paths in the scope. */
  paths: readonly string[]
  /** Asks for a folder, as a rule's path; null if the scope cannot be browsed. */
  onChoose: (() => Promise<string | null>) | null
  onRules: (rules: Rule[]) => void
}

/** The part of a row to focus after the row has moved or been removed. */
type FocusTarget = { at: number; part: 'text' | 'up' | 'down' | 'delete' } | 'add'

/** Editor for access rules; the last matching rule decides. Alt+Up and Alt+Down move a rule, as do its buttons. */
export function RulesEditor({ rules, earlier = [], subject, paths, onChoose, onRules }: RulesEditorProps) {
  const editor = useRef<HTMLDivElement>(null)
  const spot = useRef<FocusTarget | null>(null)
  const [said, setSaid] = useState('')
  const engine = useRuleEngine()

  // Moves focus with a moved row, or near a removed one.
  useEffect(() => {
    if (spot.current === null) return
    const wanted = spot.current === 'add' ? '[data-rule=add]' : `[data-rule="${spot.current.at}"] [data-rule-part=${spot.current.part}]`
    spot.current = null
    editor.current?.querySelector<HTMLElement>(wanted)?.focus()
  }, [rules])

  const change = (next: Rule[], focus: FocusTarget) => {
    spot.current = focus
    onRules(next)
  }
  const move = (from: number, to: number, part: 'text' | 'up' | 'down') => {
    if (to < 0 || to >= rules.length) return
    change(moved(rules, from, to), { at: to, part })
    setSaid(t('rules.moved', { place: to + 1, count: rules.length }))
  }
  const remove = (at: number) => {
    change(rules.toSpliced(at, 1), rules.length === 1 ? 'add' : { at: Math.min(at, rules.length - 2), part: 'delete' })
    setSaid(t('rules.removed'))
  }
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    move(at, event.key === 'ArrowUp' ? at - 1 : at + 1, 'text')
  }

  return (
    <div ref={editor} className="grid gap-5 shrinkable" data-part="rules">
      {rules.length > 0 && (
        <ol className="grid gap-4">
          {rules.map((rule, at) => (
            <RuleRow
              // Rows are stateless, so the index is a valid key.
              key={at}
              rule={rule}
              at={at}
              count={rules.length}
              problem={engine?.checkRule(rule) ?? null}
              onRule={(next) => onRules(rules.with(at, next))}
              onChoose={onChoose}
              onMove={(to, part) => move(at, to, part)}
              onRemove={() => remove(at)}
              onKeyDown={(event) => onKeyDown(event, at)}
            />
          ))}
        </ol>
      )}
      <p className="sr-only" role="status">
        {said}
      </p>
      <Button
        label={t('rules.add')}
        size="small"
        icon={Plus}
        data-rule="add"
        className={styles.add}
        onClick={() => change([...rules, NEW_RULE], { at: rules.length, part: 'text' })}
      />
      {rules.length > 0 && engine !== null && (
        <RulesPreview engine={engine} rules={[...earlier, ...rules]} paths={paths} subject={subject} />
      )}
      {rules.length + earlier.length > 0 && <RuleTest engine={engine} rules={rules} earlier={earlier} />}
    </div>
  )
}
