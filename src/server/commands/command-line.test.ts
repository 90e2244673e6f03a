import { describe, expect, it } from 'bun:test'
import { argvOf, mayRun, readHook } from './command-line.ts'

const HOSTILE = '/files/x;touch PWNED;$(id>P2)`id`|cat && "y".txt'

describe('the command for a line', () => {
  it('consists of its words; a variable stays within one word, whatever its value (GHSA-jvpw-637p-h3pw)', () => {
    const options = { shell: [], variables: { FILE: HOSTILE, USERNAME: 'ann' } }
    expect(argvOf('convert $FILE "${FILE}.png" --by=$USERNAME', options)).toEqual(['convert', HOSTILE, `${HOSTILE}.png`, '--by=ann'])
    expect(argvOf('echo $UNKNOWN $PATH', options)).toEqual(['echo', '', ''])
    expect(argvOf('echo $__proto__ $constructor', options)).toEqual(['echo', '', ''])
  })

  it('does not substitute variables in text for another interpreter (GHSA-jvpw-637p-h3pw)', () => {
    const options = { shell: [], variables: { FILE: HOSTILE } }
    expect(argvOf(`sh -c 'cat "$FILE"'`, options)).toEqual(['sh', '-c', 'cat "$FILE"'])
    for (const line of ['sh -c $FILE', 'bash -lc ${FILE}', 'perl -e $FILE', 'sh -c "cat $FILE"', 'env sh -c $FILE;'])
      expect(argvOf(line, options)?.join(' ')).not.toContain('PWNED')
  })

  it('never takes the program from a variable', () => {
    expect(argvOf('$FILE x', { shell: [], variables: { FILE: '/bin/sh' } })).toEqual(['$FILE', 'x'])
  })

  it('is the shell with the unchanged line if a shell is configured', () => {
    expect(argvOf('convert "$FILE"', { shell: ['/bin/sh', '-c'], variables: { FILE: HOSTILE } })).toEqual([
      '/bin/sh',
      '-c',
      'convert "$FILE"',
    ])
  })

  it('is null for an empty line', () => {
    for (const line of ['', '  ', '"open', '""']) expect(argvOf(line, { shell: [], variables: {} })).toBe(null)
  })
})

it('a hook with a trailing & is not waited for', () => {
  expect(readHook(' sleep 1 & ')).toEqual({ line: 'sleep 1', waits: false })
  expect(readHook('sleep 1')).toEqual({ line: 'sleep 1', waits: true })
})

it('a program is allowed only by its full name (GHSA-w7qc-6grj-w7r8)', () => {
  for (const program of ['xgit', 'gitx', '/opt/git', 'GIT', 'g', 'git ', 'gi.']) expect(mayRun(program, ['git', 'g.t'])).toBe(false)
  expect(mayRun('git', ['git'])).toBe(true)
})
