import { isAppError } from '../../shared/errors.ts'
import { ask } from './prompts.ts'

declare module './prompts.ts' {
  interface PromptKinds {
    /** The person's own password, to prove that it is still them; `wrong` when the one before was not it. */
    proof: { props: { wrong: boolean }; answer: string }
  }
}

/**
 * Does what may need a proof of who asks (decision 5): once without, and where the server wants one, again with the password that a dialog asks
 * for, as often as it is wrong. @returns null when the dialog was closed: nothing was done
 */
export async function withProof<T>(deed: (proof: { current_password?: string }) => Promise<T>): Promise<T | null> {
  for (let proof: { current_password?: string } = {}; ;) {
    try {
      return await deed(proof)
    } catch (error) {
      if (!isAppError(error, 'proof-needed')) throw error
      const password = await ask('proof', { wrong: proof.current_password !== undefined })
      if (password === null) return null
      proof = { current_password: password }
    }
  }
}
