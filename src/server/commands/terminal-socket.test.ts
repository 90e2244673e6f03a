import { expect, it } from 'bun:test'
import { TerminalMessage } from '../../shared/contract/terminal.ts'
import type { AtTerminal } from '../sandbox/sandbox.ts'
import { createUnsandboxed } from '../sandbox/unsandboxed.ts'
import { terminalSocket } from './terminal-socket.ts'

it('A24: a terminal does not start where a rule ended it while its files were being prepared', async () => {
  const over = Promise.withResolvers<string>()
  let starts = 0
  const owner = terminalSocket({
    exec: { sandbox: createUnsandboxed(), sandboxed: false, folderOf: String },
    openTerminal: async (_, { signal }) => {
      signal?.throwIfAborted()
      starts++
      return ENDED
    },
    openSession: async () => ({
      mount: {
        root: '/files',
        inside: String,
        start: {},
        masked: [],
        own: { masked: [], covers: () => true, holdsTrashOf: () => false, isComplete: async () => true },
        watched: [],
        isMasked: () => true,
        isComplete: async () => true,
      },
      signal: AbortSignal.abort(),
      until: (running) => void running.catch(() => undefined),
      cwd: '/files',
      allowed: ['sh'],
      shell: [],
      [Symbol.dispose]: () => undefined,
    }),
    username: 'ann',
    signal: new AbortController().signal,
    log: () => undefined,
    onEnd: () => undefined,
  })
  owner.opened({ send: async (text) => over.resolve(text), sendBytes: async () => undefined, close: () => undefined })
  owner.received(JSON.stringify({ start: { columns: 80, rows: 24 } }))
  expect(TerminalMessage.parse(JSON.parse(await over.promise))).toEqual({ ended: 'aborted', exit: null })
  expect(starts).toBe(0)
})

const ENDED: AtTerminal = {
  type: () => undefined,
  resize: () => undefined,
  output: (async function* () {})(),
  ended: Promise.resolve({ ended: 'exited', exitCode: 0 }),
  kill: () => undefined,
}
