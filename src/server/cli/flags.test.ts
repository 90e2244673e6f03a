import { describe, expect, it } from 'bun:test'
import type { Command } from './command.ts'
import { readCommandFlags } from './flags.ts'

const COMMAND: Command = {
  name: 'users update',
  args: '<who>',
  about: '',
  flags: [
    { name: 'lockPassword', kind: 'switch', about: '' },
    { name: 'password', kind: 'text', short: 'p', about: '' },
    { name: 'perm.admin', kind: 'switch', about: '' },
    { name: 'commands', kind: 'list', about: '' },
    { name: 'chunk', kind: 'count', about: '' },
  ],
  run: async () => {},
}

describe('the flags of a command', () => {
  it('are accepted in any case and with any dashes, as in pflag', () => {
    const { args, values } = readCommandFlags(
      ['ann', '--lock-password', '-pse cret', '--PERM.ADMIN=false', '--commands', 'git,ls', '--chunk=5', '--', '--no'],
      COMMAND,
    )
    expect(args).toEqual(['ann', '--no'])
    expect(Object.fromEntries(values)).toEqual({
      lockPassword: true,
      password: 'se cret',
      'perm.admin': false,
      commands: ['git', 'ls'],
      chunk: 5,
    })
  })

  it('take precedence over server flags of the same letter, except those for paths', () => {
    const { values, server } = readCommandFlags(['-p', 'x', '-d', 'my.db', '--data', 'd'], COMMAND)
    expect([values.get('password'), server]).toEqual(['x', ['--database=my.db', '--dataDir=d']])
    expect(() => readCommandFlags(['--port', '80'], COMMAND)).toThrow('unknown flag --port')
  })

  it('are refused with their name and value', () => {
    expect(() => readCommandFlags(['--lockPasword'], COMMAND)).toThrow('did you mean --lockPassword?')
    expect(() => readCommandFlags(['--chunk', 'many'], COMMAND)).toThrow('--chunk: "many" is not a number')
    expect(() => readCommandFlags(['--lockPassword=maybe'], COMMAND)).toThrow('is not true or false')
    expect(() => readCommandFlags(['-p'], COMMAND)).toThrow('-p needs a value')
  })
})
