import { useState } from 'react'
import type { PromptProps } from '../../../data/prompts.ts'
import { TokenForm } from './token-form.tsx'
import { NewToken } from './new-token.tsx'

/** Asks what a new API token is for, and then shows it, which is possible only once. */
export function TokenDialog({ onAnswer, onDismiss }: PromptProps<'api-token'>) {
  const [secret, setSecret] = useState<string | null>(null)
  if (secret !== null) return <NewToken secret={secret} onClose={() => onAnswer(true)} />
  return <TokenForm onMade={setSecret} onDismiss={onDismiss} />
}
