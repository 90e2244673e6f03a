import type { DirectoryReport, DirectoryStep } from '../../shared/contract/directories.ts'
import type { AccountEntry } from '../providers/account-entry.ts'
import { arrivalOf } from './arrival.ts'
import { type Authenticated, authenticate, lookUp, type Trace } from './authenticate.ts'
import { canCheck, type StoredDirectory } from './directory.ts'
import { bindHint, type DirectoryPerson } from './person.ts'
import { DirectoryProblem, reasonOf } from './problem.ts'

const MAX_SHOWN = 200

export interface Tried {
  readonly username: string | undefined
  readonly password: string | undefined
  /** Called when it is known who that would be, before the password is tried; may throw. */
  readonly onFound: (person: DirectoryPerson) => Promise<void>
  readonly onRight: () => Promise<void>
}

export type Trial = ReturnType<typeof createTrial>

/** Signs in step by step for an administrator, who sees what each step found; opens no session and creates no account. */
export function createTrial({ entry, clock }: { entry: Pick<AccountEntry, 'preview'>; clock: () => Date }) {
  return async (directory: StoredDirectory, { username = '', password = '', onFound, onRight }: Tried): Promise<DirectoryReport> => {
    const steps: DirectoryStep[] = []
    let doing: DirectoryStep['step'] = 'connect'
    const trace: Trace = {
      begin: (step) => void (doing = step),
      done: (step, detail) => void steps.push({ step, ok: true, detail: shortened(detail) }),
    }
    let found: Authenticated | null
    try {
      const asked = { now: clock(), trace, onFound }
      if (username !== '' && password !== '') found = await authenticate(directory, { login: username, password }, asked)
      else if (canCheck(directory)) found = await lookUp(directory, username === '' ? null : username, asked)
      else throw new DirectoryProblem('wrong', 'without an account that searches, a name and its password are needed')
    } catch (error) {
      if (!(error instanceof DirectoryProblem)) throw error
      const hint = bindHint(error.message)
      const detail = hint === null ? reasonOf(error) : `${hint} (${reasonOf(error)})`
      steps.push({ step: doing, ok: false, detail: shortened(detail) })
      return { steps, attributes: [], problem: error.kind === 'refused' ? 'refused' : 'provider' }
    }
    if (found === null) return { steps, attributes: [], problem: null }
    if (password !== '') await onRight()
    const { person, groups } = found
    const { problem, detail } = await entry.preview(arrivalOf(directory, person, groups), {
      person: 'person',
      refusal: 'is in none of the groups that may sign in',
      noName: `${directory.usernameAttribute} holds no name for an account`,
    })
    steps.push({ step: 'account', ok: problem === null, detail })
    return { steps, attributes: shownOf(directory, person), problem }
  }
}

function shownOf(directory: StoredDirectory, { id, username, mail }: DirectoryPerson): { name: string; value: string }[] {
  return [
    { name: directory.idAttribute, value: id },
    { name: directory.usernameAttribute, value: username ?? '' },
    { name: directory.mailAttribute, value: mail ?? '' },
  ].filter(({ name, value }) => name !== '' && value !== '')
}

function shortened(text: string): string {
  return text.length <= MAX_SHOWN * 5 ? text : `${text.slice(0, MAX_SHOWN * 5)}…`
}
