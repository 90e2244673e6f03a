import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { WelcomeStep } from '../../../shared/contract/users.ts'
import { finishSteps, useSession } from '../../data/session.ts'
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
