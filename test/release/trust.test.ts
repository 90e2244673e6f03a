import { afterAll, describe, expect, it } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { homepage, version } from '../../package.json'
import type { Component } from '../../scripts/release/components.ts'
import { lockedPackages, WANTED } from '../../scripts/release/image/base.ts'
import { digestOf, folderEntry, layerOf, textEntry } from '../../scripts/release/image/layer.ts'
import { licencesText } from '../../scripts/release/licences.ts'
import { emptyOutput, SUMS_FILE, writeSums } from '../../scripts/release/output.ts'
import { sbomOf } from '../../scripts/release/sbom.ts'
import { IDENTITY, NAMESPACE, sign, writeAllowedSigners } from '../../scripts/release/sign.ts'
import { isRecord } from '../../src/server/cli/records.ts'
import { HOME } from '../../src/server/entries/entries.ts'

const PACKAGING = join(HOME, 'packaging')
const work = mkdtempSync(join(tmpdir(), 'satchel-trust-'))
const TIME = new Date(1_700_000_000_000)
const MIT: Component = { name: 'one', version: '1.0.0', licence: 'MIT', purl: 'pkg:npm/one@1.0.0', texts: ['MIT License'] }

afterAll(() => rmSync(work, { recursive: true }))

describe('a signature', () => {
  const key = join(work, 'key')
  const [sums, signers] = [join(work, 'SHA256SUMS'), join(work, 'allowed_signers')]
  const isAccepted = (text: string): boolean => {
    const args = ['-Y', 'verify', '-f', signers, '-I', IDENTITY, '-n', NAMESPACE, '-s', `${sums}.sig`]
    return Bun.spawnSync(['ssh-keygen', ...args], { stdin: Buffer.from(text) }).exitCode === 0
  }

  it('of the sums is accepted for them and for nothing else', () => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    writeFileSync(sums, 'abc  satchel\n')
    sign(sums, key)
    writeAllowedSigners(signers, key)
    expect([isAccepted('abc  satchel\n'), isAccepted('abd  satchel\n')]).toEqual([true, false])
  })
})

describe('the folder of a release', () => {
  const folder = join(work, 'release')
  const write = (name: string) => writeFileSync(join(folder, name), name)

  it('has only what was made last, and downloads', () => {
    for (const name of ['work/linux-x64', 'debian', 'tools/bin']) mkdirSync(join(folder, name), { recursive: true })
    for (const name of ['satchel-0.9.0-linux-x64', `satchel-${version}-linux-arm64`, `${SUMS_FILE}.sig`, 'debian/a.deb', 'tools/bin/helm'])
      write(name)
    emptyOutput(folder)
    write(`satchel-${version}-linux-x64`)
    writeSums(folder)
    expect(readdirSync(folder).toSorted()).toEqual([SUMS_FILE, 'debian', `satchel-${version}-linux-x64`, 'tools'])
    expect([readdirSync(join(folder, 'debian')), readdirSync(join(folder, 'tools/bin'))]).toEqual([['a.deb'], ['helm']])
  })

  it('has the sums of all its files', () => {
    emptyOutput(folder)
    for (const name of ['b', 'a']) write(name)
    const sums = writeSums(folder)
    expect(sums.match(/(?<=  ).*/g)).toEqual(['a', 'b'])
    expect(readFileSync(join(folder, SUMS_FILE), 'utf8')).toBe(sums)
    expect(execFileSync('sha256sum', ['--check', SUMS_FILE], { cwd: folder, encoding: 'utf8' })).toBe('a: OK\nb: OK\n')
  })
})

describe('the list of components', () => {
  const debian = { architecture: 'amd64', packages: [{ name: 'libc6', version: '1:2.0', sha256: '00' }] } as const

  it('names packages, the libraries in them and packages of Debian', () => {
    const bom: unknown = JSON.parse(
      sbomOf({ artefact: 'x', time: TIME, components: [{ ...MIT, parts: [{ name: 'vips', version: '8' }] }], debian }),
    )
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { name: 'satchel', version } },
      components: [
        { purl: 'pkg:npm/one@1.0.0', licenses: [{ expression: 'MIT' }], components: [{ name: 'vips' }] },
        { purl: 'pkg:deb/debian/libc6@1%3A2.0?arch=amd64&distro=trixie', hashes: [{ alg: 'SHA-256', content: '00' }] },
      ],
    })
  })

  it('has the same bytes for the same content', () => {
    const [one, same, other] = ['a', 'a', 'b'].map((artefact) => sbomOf({ artefact, time: TIME, components: [MIT] }))
    expect([same === one, other === one]).toEqual([true, false])
  })
})

it('equal licences stand once, below all the names they are for', () => {
  const text = licencesText([MIT, { ...MIT, name: 'two' }, { ...MIT, name: 'three', texts: [] }])
  expect(text.match(/^MIT License$/gm)).toHaveLength(1)
  expect(text).toContain('one 1.0.0: MIT\ntwo 1.0.0: MIT\n')
  expect(text).toContain('three 1.0.0: MIT\n')
})

describe('a layer of the image', () => {
  const entries = [textEntry('b/file', 'x', TIME), folderEntry('b', TIME), textEntry('a', 'y', TIME)]

  it('has the same bytes whatever order its files come in', async () => {
    const [one, other] = await Promise.all([layerOf('one', entries), layerOf('other', entries.toReversed())])
    expect(other.blob.equals(one.blob)).toBe(true)
    expect(digestOf(Buffer.from(Bun.gunzipSync(Uint8Array.from(one.blob))))).toBe(one.diffId)
  })

  it('is made of pinned packages that include everything wanted', () => {
    for (const architecture of ['amd64', 'arm64'] as const)
      expect(lockedPackages(architecture).map(({ name }) => name)).toEqual(expect.arrayContaining(WANTED))
  })
})

describe('the service', () => {
  const unit = join(work, 'etc/systemd/system')
  const exposure = (): number => {
    const said = execFileSync('systemd-analyze', ['security', '--offline=true', `--root=${work}`, 'satchel.service'], { encoding: 'utf8' })
    return Number(/Overall exposure level for satchel.service: ([\d.]+)/.exec(said)?.[1])
  }

  it('has few rights, and with the drop-in fewer', () => {
    mkdirSync(join(unit, 'satchel.service.d'), { recursive: true })
    copyFileSync(join(PACKAGING, 'satchel.service'), join(unit, 'satchel.service'))
    expect(exposure()).toBeLessThanOrEqual(2.8)
    copyFileSync(join(PACKAGING, 'hardened.conf'), join(unit, 'satchel.service.d/hardened.conf'))
    expect(exposure()).toBeLessThan(2)
  })
})

describe('the files of a release', () => {
  const read = (name: string): string => readFileSync(join(PACKAGING, name), 'utf8')

  it('name the version of the program', () => {
    expect(parse(read('helm/satchel/Chart.yaml'))).toMatchObject({ version, appVersion: version, home: homepage, sources: [homepage] })
    for (const name of ['compose.yaml', 'compose.postgres.yaml'])
      expect(parse(read(name))).toMatchObject({ services: { satchel: { image: `satchel:${version}` } } })
    expect(readFileSync(join(HOME, 'CHANGES.md'), 'utf8')).toContain(`\n## ${version} - `)
  })

  it('run the container read-only and without rights', () => {
    for (const name of ['compose.yaml', 'compose.postgres.yaml']) {
      const compose: unknown = parse(read(name))
      const services = isRecord(compose) ? compose.services : null
      expect(isRecord(services) ? services.satchel : null).toMatchObject({
        read_only: true,
        tmpfs: '/tmp',
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        healthcheck: { test: ['CMD', 'satchel', 'health'] },
      })
    }
  })
})
