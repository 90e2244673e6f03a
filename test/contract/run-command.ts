import { COMMAND_PROTOCOL, CommandMessage } from '../../src/shared/contract/command.ts'
import type { Product } from './world.ts'

/** Starts a command line of a user who may run it. Resolves when the program runs. */
export async function run(product: Product, line: string, who = 'anna'): Promise<{ over: Promise<{ said: string; ended: string }> }> {
  const token = await product.signIn(who)
  const socket = new WebSocket(`ws://127.0.0.1:${product.port}/api/command/?auth=${token}`, { protocols: [COMMAND_PROTOCOL] })
  let said = ''
  let ended = 'cut off'
  const begun = Promise.withResolvers<void>()
  socket.addEventListener('open', () => socket.send(JSON.stringify({ run: `echo begun; ${line}` })))
  socket.addEventListener('error', () => begun.reject(new Error('refused')))
  socket.addEventListener('message', ({ data }) => {
    const message = CommandMessage.parse(JSON.parse(String(data)))
    if ('ended' in message) ended = message.ended
    else said += message.text
    if (said.startsWith('begun\n')) begun.resolve()
  })
  const over = new Promise<{ said: string; ended: string }>((resolve) => {
    socket.addEventListener('close', () => {
      begun.resolve()
      resolve({ said: said.replace('begun\n', ''), ended })
    })
  })
  await begun.promise
  return { over }
}
