import { useEffect, useState } from 'react'
import type * as Rules from '../../shared/rules.ts'

export type RuleEngine = typeof Rules

/** The server's own matching, of which the pattern engine is large: it arrives after the editor, and is null until then or where it does not. */
export function useRuleEngine(): RuleEngine | null {
  const [engine, setEngine] = useState<RuleEngine | null>(null)
  // Synchronises with the network.
  useEffect(() => {
    let wanted = true
    import('../../shared/rules.ts').then(
      (arrived) => wanted && setEngine(arrived),
      (error: unknown) => console.warn('Rules cannot be tried out:', error),
    )
    return () => {
      wanted = false
    }
  }, [])
  return engine
}
