import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mountDisk } from '../../test/contract/disk.ts'
import type { Attack, Client, TestServer } from './attack.ts'
import { runCommand, startCommand, WITH_COMMANDS } from './commands.ts'

const SECRET = 'what ann may not read'
/** Letters of ASCII, of one case only, with a case that is two letters, with three cases, with accents, and joined ones. */
const NAMES = ['secret', 'Straße', 'ılık', 'ﬁnal', 'Éclair', 'Οδός', 'Kelvin', 'µm', 'ſecret', 'ǆep', 'Ünïcode']
/** Letters that some disk or other takes for each other. */
const ALIKE = [
  ['ß', 'ẞ', 'ss', 'SS'],
  ['ı', 'i', 'I', 'İ'],
  ['ﬁ', 'fi', 'FI'],
  ['ς', 'σ', 'Σ'],
  ['K', 'k', 'K'],
  ['µ', 'μ', 'Μ'],
  ['ſ', 's', 'S'],
  ['ǆ', 'ǅ', 'Ǆ'],
]

export const attack: Attack = {
  row: 'A4',
  title: 'reach a denied name in another spelling, on a disk that takes both for one',
  server: WITH_COMMANDS,
  async run(server) {
    using disk = mountDisk('exfat', { home: server.home, at: join(server.root, 'disk') })
    const rules = NAMES.map((name) => ({ regex: false, allow: false, path: `/disk/${name}`, regexp: null }))
    const ann = await server.user('ann', { rules, commands: ['cat'] })
    const bob = await server.user('bob', { commands: ['cat'] })
    server.write('own.txt', 'his own')
    if ((await runCommand(server, bob, 'cat /files/own.txt')).said !== 'his own') throw new Error('no command runs')
    const files: string[] = []
    let found = 0
    let got = 0
    for (const name of NAMES) {
      const secret = join(disk.folder, name, 'inside.txt')
      mkdirSync(join(disk.folder, name))
      writeFileSync(secret, SECRET)
      const others = spellingsOf(name)
      const same = others.filter((other) => existsSync(join(disk.folder, other, 'inside.txt')))
      files.push(...same.map((other) => `"/files/disk/${other}/inside.txt"`))
      const reached: string[] = []
      for (const other of others)
        for (const call of await successes(server, ann, { other, secret })) reached.push(`${call} of ${JSON.stringify(other)}`)
      server.note(`${name}: ${others.length} spellings, ${same.length} of them found by the disk; reached: ${reached.join(', ') || 'none'}`)
      found += same.length
      got += reached.length
    }
    if (found < NAMES.length) throw new Error('this disk tells the spellings apart')
    const { said, ended } = await (await startCommand(server, ann, `cat ${files.join(' ')}`)).over
    const isRead = said.includes(SECRET)
    server.note(`a command that reads all ${files.length} of them: ${ended}, ${isRead ? 'with the secret' : 'nothing'}`)
    return got === 0 && !isRead ? 'refused' : 'succeeded'
  },
}

/** `name` in other letters: all of them at once, each by itself, in other forms of Unicode, and with more at its end. */
function spellingsOf(name: string): string[] {
  const letters = [...name]
  const single = letters.flatMap((letter, at) => {
    const alike = ALIKE.filter((group) => group.includes(letter)).flat()
    return [letter.toUpperCase(), letter.toLowerCase(), ...alike].map((other) => letters.with(at, other).join(''))
  })
  const swapped = letters.map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase())).join('')
  const ascii = name.replace(/[a-z]/g, (letter) => letter.toUpperCase())
  const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => name.normalize(form))
  const all = [
    name.toUpperCase(),
    name.toLowerCase(),
    swapped,
    ascii,
    ...forms,
    ...single,
    `${name}.`,
    `${name} `,
    `${name}\u200b`,
    `${ascii}.`,
  ]
  return [...new Set(all)].filter((other) => other !== name)
}

/** The calls that reached the secret by another spelling of its folder. */
async function successes(server: TestServer, ann: Client, { other, secret }: { other: string; secret: string }): Promise<string[]> {
  const folder = `/disk/${encodeURIComponent(other)}`
  const file = `${folder}/inside.txt`
  const copy = join(server.root, 'copy')
  const text = async (address: string): Promise<string> => (await ann.ask(address)).text()
  const isShown = async (address: string): Promise<boolean> => (await text(address)).includes(SECRET)
  const isNamed = async (address: string): Promise<boolean> => (await text(address)).includes('inside.txt"')
  const isChanged = (): boolean => !existsSync(secret) || readFileSync(secret, 'utf8') !== SECRET
  const change = async (method: string, address: string, body?: string): Promise<boolean> => {
    await (await ann.ask(address, { method, ...(body !== undefined && { body }) })).arrayBuffer()
    return isChanged()
  }
  const isCopied = async (from: string, to: string): Promise<boolean> => {
    await (await ann.ask(`/api/resources${from}?action=copy&destination=${to}`, { method: 'PATCH' })).arrayBuffer()
    return existsSync(copy)
  }
  const isShared = async (path: string): Promise<boolean> => (await ann.ask(`/api/share${path}`, { method: 'POST', body: '{}' })).ok
  const calls: Record<string, () => Promise<boolean>> = {
    listing: () => isNamed(`/api/resources${folder}`),
    'a listing of everything below': () => isNamed(`/api/resources/recursive${folder}`),
    'reading the file': () => isShown(`/api/raw${file}`),
    'reading what the file says': () => isShown(`/api/resources${file}`),
    'downloading the folder': () => isShown(`/api/raw${folder}?algo=tar`),
    'downloading by name': () => isShown(`/api/raw/disk?algo=tar&files=${encodeURIComponent(other)}`),
    searching: () => isNamed(`/api/search${folder}?query=inside`),
    'copying the file': () => isCopied(file, '/copy'),
    'copying the folder': () => isCopied(folder, '/copy'),
    'sharing the folder': () => isShared(folder),
    'sharing the file': () => isShared(file),
    saving: () => change('PUT', `/api/resources${file}`, 'overwritten'),
    'uploading over it': () => change('POST', `/api/resources${file}?override=true`, 'overwritten'),
    moving: () => change('PATCH', `/api/resources${folder}?action=rename&destination=/moved`),
    removing: () => change('DELETE', `/api/resources${folder}`),
  }
  const reached: string[] = []
  for (const [call, isReached] of Object.entries(calls)) if (await isReached()) reached.push(call)
  return reached
}
