import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { WelcomeStep } from '../../../shared/contract/users.ts'
import { finishSteps, showStepResult, useSession, useUser } from '../../data/session.ts'
import { keptStepResult, type StepResult } from '../../data/step-result.ts'
import { SkipButtons } from './step-form.tsx'

/** How a step is left: it is not offered again. `skips` are the buttons that leave it without an answer. */
export function useFinish(step: WelcomeStep): { finish: () => void; busy: boolean; skips: ReactNode } {
  const left = useSession(({ firstMinute }) => firstMinute.welcome ?? [])
  const { mutate, isPending } = useMutation({ mutationFn: finishSteps })
  const leave = (steps: readonly WelcomeStep[]) => () => {
    if (!isPending) mutate(steps)
  }
  const finish = leave([step])
  return { finish, busy: isPending, skips: <SkipButtons onSkip={finish} onSkipAll={left.length > 1 ? leave(left) : null} /> }
}

type ResultOf<Step> = Extract<StepResult, { step: Step }>

/** What a step has made, also after a reload; null before. */
export function useStepResult<Step extends StepResult['step']>(
  step: Step,
): readonly [ResultOf<Step> | null, (made: ResultOf<Step>) => void] {
  const { id } = useUser()
  const [result, setResult] = useState(() => {
    const kept = keptStepResult(id)
    // The narrowing of a generic union is not followed by the compiler.
    return kept?.step === step ? (kept as ResultOf<Step>) : null
  })
  const show = (made: ResultOf<Step>) => {
    showStepResult(made)
    setResult(made)
  }
  return [result, show]
}
