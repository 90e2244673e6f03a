import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'bun:test'
import { parse } from 'yaml'
import { serverCommand } from '../scripts/lib/server.mjs'
import { readFlags } from '../src/server/config/parse-flags.ts'
import { namesCommand } from '../src/server/cli/flags.ts'

/** Every example of the documentation is read by the program that it is for. */
const HOME = join(import.meta.dir, '..')
const PAGES = ['*.md', 'docs/*.md'].flatMap((glob) => [...new Bun.Glob(glob).scanSync(HOME)].toSorted())
const folder = mkdtempSync(join(tmpdir(), 'satchel-examples-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Example {
  /** `docs/backup.md:18`. */
  readonly at: string
  readonly language: string
  readonly text: string
}
const examples = PAGES.flatMap(examplesOf)
const of = (language: string): Example[] => examples.filter((one) => one.language === language)

describe('B7: an example of the documentation', () => {
  for (const { at, text } of of('nginx')) {
    it(`is a configuration that nginx takes: ${at}`, () => {
      const home = join(folder, 'nginx')
      mkdirSync(home, { recursive: true })
      const conf = join(home, 'nginx.conf')
      // The first form of Debian: what the example is included in.
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${home}/${name};`).join(' ')
      writeFileSync(
        conf,
        `pid ${home}/pid;\nevents {}\nhttp {\naccess_log off; ${temporary}\n${text.replace('listen 80;', 'listen 127.0.0.1:8099;')}\n}\n`,
      )
      const { exitCode, stderr } = Bun.spawnSync(['/usr/sbin/nginx', '-t', '-q', '-p', home, '-c', conf, '-e', join(home, 'error.log')])
      expect([exitCode, stderr.toString()]).toEqual([0, ''])
    })
  }

  for (const { at, text } of of('ini')) {
    it(`is a unit that systemd takes: ${at}`, () => {
      const unit = join(folder, 'satchel-example.service')
      // The programs of a whole unit need not be here; a part of a unit gets one.
      const runnable = text.replaceAll(/^(Exec\w+)=.*$/gm, '$1=/bin/true')
      const whole = text.includes('ExecStart=') ? runnable : runnable.replace('[Service]', '[Service]\nExecStart=/bin/true')
      writeFileSync(unit, whole.replace('User=satchel', 'User=root'))
      const { exitCode, stderr } = Bun.spawnSync(['systemd-analyze', 'verify', unit], { stderr: 'pipe' })
      const about = stderr
        .toString()
        .split('\n')
        .filter((line) => line.includes('satchel-example'))
      expect([exitCode, about]).toEqual([0, []])
    })
  }

  for (const { at, text } of of('yaml')) {
    it(`is YAML: ${at}`, () => expect(typeof parse(text)).toBe('object'))
  }

  for (const { at, argv } of examples.flatMap(commandsIn)) {
    it(`is a command that there is, with options that there are: ${at} ${argv.join(' ')}`, () => {
      if (!namesCommand(argv)) return void expect(readFlags(argv).words.length).toBe(0)
      // Its options are read before it is asked for help: one that is unknown is refused.
      const { exitCode, stderr } = Bun.spawnSync([...serverCommand(), ...argv, '--help'], { cwd: folder })
      expect([exitCode, stderr.toString()]).toEqual([0, ''])
    })
  }

  it('is found', () => expect(of('nginx').length * examples.flatMap(commandsIn).length).toBeGreaterThan(20))

  it('is in a language that these tests know', () => {
    // Caddy's and Apache's are run by proxies.test.ts, the programs by test/client; no engine for a dockerfile can be had here.
    const known = ['', 'nginx', 'caddyfile', 'apache', 'dockerfile', 'ini', 'yaml', 'ts', 'tsx', 'json', 'sh', 'js', 'python']
    expect(examples.filter(({ language }) => !known.includes(language)).map(({ at, language }) => `${at} ${language}`)).toEqual([])
  })
})

function examplesOf(page: string): Example[] {
  const text = readFileSync(join(HOME, page), 'utf8')
  return [...text.matchAll(/^( *)```(\w*)\n([^]*?)\n\1```$/gm)].map(({ 2: language = '', 3: inside = '', index }) => ({
    at: `${page}:${text.slice(0, index).split('\n').length}`,
    language,
    text: inside,
  }))
}

/** Lines and parts of lines that start our program; the words of each as a shell would see them, as far as the page needs. */
function commandsIn({ at, language, text }: Example): { at: string; argv: string[] }[] {
  if (language !== '') return []
  const parts = text.split('\n').flatMap((line) => line.replace(/(^|\s)#.*$/, '').split(/\s*(?:;|&&)\s*/))
  return parts.flatMap((part) => {
    const rest = /^(?:\w+='[^']*' )?(?:satchel|npm start(?: --)?|scripts\/start\.mjs)(?:\s+(.*))?$/.exec(part.trim())
    if (rest === null) return []
    const words = (rest[1] ?? '').match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
    return [{ at, argv: words.map((word) => word.replace(/["']/g, '')) }]
  })
}
