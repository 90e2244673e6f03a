import { act, render, waitFor, withDocument } from '../test-dom.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, describe, expect, it, mock } from 'bun:test'
import { useSession } from '../data/session.ts'
import { withoutOwnRights } from '../data/share-context.ts'
import { userFromToken } from '../data/token.ts'
import { ProofElsewhereDialog } from './proof-elsewhere-dialog.tsx'

withDocument()
afterEach(() => useSession.setState({ token: null, user: null }))

function show() {
  const [attempt, onAnswer, onDismiss] = [mock(() => Promise.resolve()), mock(), mock()]
  signedIn({ id: 1, token: 'before' })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ProofElsewhereDialog
        attempt={attempt}
        second={false}
        providers={[{ id: 'idp', name: 'Example' }]}
        problemOf={() => null}
        onAnswer={onAnswer}
        onDismiss={onDismiss}
      />
    </QueryClientProvider>,
  )
  return { attempt, onAnswer, onDismiss }
}

describe('a proof at a provider, in another tab', () => {
  it('goes on with the sign-in of the same person', async () => {
    const { attempt, onAnswer, onDismiss } = show()
    expect(attempt).not.toHaveBeenCalled()
    act(() => signedIn({ id: 1, token: 'after' }))
    await waitFor(() => expect(onAnswer).toHaveBeenCalledWith(true))
    expect([attempt.mock.calls.length, onDismiss.mock.calls.length]).toEqual([1, 0])
  })

  it('does nothing as somebody else, or as nobody', async () => {
    const { attempt, onDismiss } = show()
    act(() => signedIn({ id: 2, token: 'of somebody else' }))
    await waitFor(() => expect(onDismiss).toHaveBeenCalledTimes(1))
    act(() => useSession.setState({ token: null, user: null }))
    await waitFor(() => expect(onDismiss).toHaveBeenCalledTimes(2))
    expect(attempt).not.toHaveBeenCalled()
  })
})

function signedIn({ id, token }: { id: number; token: string }): void {
  const claims = { exp: 4_102_444_800, iat: 0, user: { id, viewMode: 'list', perm: PERM } }
  const user = userFromToken(`e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`)
  useSession.setState({ token, user: user === null ? null : withoutOwnRights(user) })
}

const PERM = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }
