import { afterEach, expect, it } from 'bun:test'
import { AppError, fail } from '../../shared/errors.ts'
import { answer, dismissAllPrompts, usePrompts } from './prompts.ts'
import { type ProofGiven, type ReauthenticationFields, withReauthentication } from './reauthenticate.ts'

// Answered dialogs stay until their animation has ended, which nothing shows here.
afterEach(() => usePrompts.setState({ shown: [], waiting: [] }))

it('does not ask if no proof is needed', async () => {
  expect(await withReauthentication(async () => 'done')).toBe('done')
  expect(usePrompts.getState().shown).toEqual([])
})

it('repeats with the current password if the server requires a proof', async () => {
  const going = withReauthentication(guarded)
  await (await question()).type('right')
  expect(await going).toBe('done')
})

it('keeps asking while the password is wrong', async () => {
  const going = withReauthentication(guarded)
  const dialog = await question()
  await expect(dialog.type('wrong')).rejects.toMatchObject({ code: 'proof-needed' })
  await dialog.type('right')
  expect(await going).toBe('done')
})

it('is null when the prompt is closed, also after a wrong password', async () => {
  const going = withReauthentication(guarded)
  const dialog = await question()
  await expect(dialog.type('wrong')).rejects.toMatchObject({ code: 'proof-needed' })
  dismissAllPrompts()
  expect(await going).toBeNull()
})

it('throws every other error, before and after asking', async () => {
  await expect(withReauthentication(async () => fail('forbidden', { right: 'admin' }))).rejects.toMatchObject({ code: 'forbidden' })
  const going = withReauthentication(async ({ current_password }) =>
    current_password === undefined ? fail('proof-needed', {}) : fail('name-taken', { username: 'ann' }),
  )
  const failed = going.catch((error: unknown) => error)
  await (await question()).type('right')
  expect(await failed).toEqual(new AppError('name-taken', { username: 'ann' }))
})

it('returns the result of an attempt that was running on navigation', async () => {
  const sent = Promise.withResolvers<string>()
  const going = withReauthentication(async ({ current_password }) =>
    current_password === undefined ? fail('proof-needed', {}) : sent.promise,
  )
  const dialog = await question()
  const typing = dialog.attempt('right')
  dismissAllPrompts()
  sent.resolve('done')
  await typing
  expect(await going).toBe('done')
})

async function guarded({ current_password }: ReauthenticationFields): Promise<string> {
  return current_password === 'right' ? 'done' : fail('proof-needed', {})
}

/** The dialog, as soon as it is asked for. */
async function question() {
  while (usePrompts.getState().shown.length === 0) await Promise.resolve()
  const [asked] = usePrompts.getState().shown
  if (asked === undefined || asked.kind !== 'reauthenticate') throw new Error('no question about a proof')
  const props = asked.props as { attempt: (given: ProofGiven) => Promise<void> }
  const attempt = (password: string) => props.attempt({ password })
  return {
    attempt,
    async type(password: string) {
      await attempt(password)
      answer(asked.id, true)
    },
  }
}
