import { ConfigError } from '../config/config-error.ts'

const ENTER = new Set(['\r', '\n', '\u0004'])
const INTERRUPT = '\u0003'
const ERASE = new Set(['\u007f', '\b'])

/** Asks for a password at the terminal, twice and without echo; otherwise reads the first line of standard input. Throws `ConfigError`. */
export async function askPassword(): Promise<string> {
  if (!process.stdin.isTTY) return firstLine(await Bun.stdin.text())
  const password = await readHidden('Password: ')
  if ((await readHidden('Once more: ')) !== password) throw new ConfigError('the two passwords differ')
  return password
}

function firstLine(text: string): string {
  const [line = ''] = text.split(/\r?\n/)
  if (line === '') throw new ConfigError('a password is needed: as the first line of standard input, or at a terminal')
  return line
}

async function readHidden(prompt: string): Promise<string> {
  const { stdin } = process
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let typed: string[] = []
  const onData = (chunk: Buffer): void => {
    for (const character of chunk.toString('utf8')) {
      if (ENTER.has(character)) return resolve(typed.join(''))
      if (character === INTERRUPT) return reject(new ConfigError('interrupted; nothing was changed'))
      typed = ERASE.has(character) ? typed.slice(0, -1) : [...typed, character]
    }
  }
  process.stderr.write(prompt)
  stdin.setRawMode(true)
  stdin.on('data', onData)
  stdin.resume()
  try {
    return await promise
  } finally {
    stdin.off('data', onData)
    stdin.pause()
    stdin.setRawMode(false)
    process.stderr.write('\n')
  }
}
