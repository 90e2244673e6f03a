import { useEffect, useState } from 'react'
import type * as Rules from '../../shared/rules.ts'

export type RuleEngine = typeof Rules

/** The server's rule evaluation, loaded lazily because the regular expression engine is large; null until then and if it fails to load. */
export function useRuleEngine(): RuleEngine | null {
  const [engine, setEngine] = useState<RuleEngine | null>(null)
  // Loads the module.
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
