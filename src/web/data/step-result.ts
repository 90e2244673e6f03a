import * as z from 'zod/mini'
import { type FirstMinute, WelcomeStep } from '../../shared/contract/users.ts'
import { firstMinuteFromToken } from './token.ts'

/** What a step of the first minute has made, until the step is left: a new account, or a link. */
const StepResult = z.discriminatedUnion('step', [
  z.object({ step: z.literal('person'), username: z.string(), password: z.string() }),
  z.object({ step: z.literal('link'), folder: z.string(), link: z.string() }),
])
export type StepResult = z.infer<typeof StepResult>

const Kept = z.object({ userId: z.number(), result: StepResult })

/** In this tab only: it survives a reload, or that a phone unloads the page while somebody passes the password on. */
const KEY = 'satchel-step-result'

/** @param userId who is signed in; nobody else sees it */
export function keepStepResult(userId: number, result: StepResult): void {
  sessionStorage.setItem(KEY, JSON.stringify({ userId, result } satisfies z.infer<typeof Kept>))
}

/** Null if there is none of this user. */
export function keptStepResult(userId: number): StepResult | null {
  const text = sessionStorage.getItem(KEY)
  if (text === null) return null
  try {
    const kept = Kept.safeParse(JSON.parse(text)).data
    return kept?.userId === userId ? kept.result : null
  } catch {
    return null
  }
}

export function forgetStepResult(): void {
  sessionStorage.removeItem(KEY)
}

/** What a token says of the first minute. A step whose result is still shown here has not been left, though the server knows it as done. */
export function firstMinuteTold(token: string, userId: number): FirstMinute {
  const told = firstMinuteFromToken(token)
  const kept = keptStepResult(userId)
  if (kept === null) return told
  return { ...told, welcome: WelcomeStep.options.filter((step) => step === kept.step || told.welcome?.includes(step)) }
}
