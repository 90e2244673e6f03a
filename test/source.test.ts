import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'

const HOME = join(import.meta.dir, '..')
const server = sources('src/server/**/*.ts')
const web = sources('src/web/**/*.{ts,tsx}')

/** A synchronous call of `node:fs`, or one of the C library. */
const WAITS_FOR_DISKS = /\b(?!(?:sleep|spawn|resolve|scan)Sync)[a-z]\w*Sync\(|\blibc\(\)|\bdlopen\(/
/** The files that have some, by what keeps them from holding up the server. */
const WAITING = {
  'the calls to a disk, which its executor does where others do not wait for it (decision 059)': [
    'storage/adopt.ts',
    'storage/disk-calls.ts',
    'storage/disk-io.ts',
    'storage/folder-mark.ts',
    'storage/folder-names.ts',
    'storage/libc.ts',
    'storage/become-save.ts',
    'storage/kept-calls.ts',
    'storage/kept-folders.ts',
    'storage/listed-name.ts',
    'storage/listing.ts',
    'storage/nodes.ts',
    'storage/open-file.ts',
    'storage/open-folder.ts',
    'storage/ownership.ts',
    'storage/place-keeping.ts',
    'storage/placing.ts',
    'storage/read-many.ts',
    'storage/read-now.ts',
    'storage/snapshot-look.ts',
    'storage/staging-calls.ts',
    'storage/subvolumes.ts',
    'storage/top-calls.ts',
    'storage/volumes.ts',
  ],
  'only for disks that the calling thread may touch': ['storage/direct-writer.ts', 'storage/proc-paths.ts', 'storage/watching.ts'],
  'threads and programs that may wait': [
    'index/disk.ts',
    'index/index-service.ts',
    'index/snapshot.ts',
    'programs/run-program.ts',
    'storage/disk-worker.ts',
    'storage/remove-batch.ts',
    'unpack/seven-zip-worker.ts',
    'unpack/source.ts',
  ],
  'the kernel answers: /proc, /sys, /dev, sockets, memory, paths of open descriptors': [
    'http/connection.ts',
    'metrics/gauges.ts',
    'sandbox/libc.ts',
    'sandbox/memory-file.ts',
    'sandbox/memory-watch.ts',
    'sandbox/enforce-limits.ts',
    'sandbox/process-counter.ts',
    'sandbox/pty.ts',
    'storage/held-files.ts',
    'storage/mounts.ts',
    'storage/links.ts',
    'storage/root-connection.ts',
  ],
  'start and stop': [
    'backup/before-upgrade.ts',
    'backup/write-backup.ts',
    'compose-roots.ts',
    'compose.ts',
    'config/served-root.ts',
    'config/system-files.ts',
    'db/foreign.ts',
    'db/owner.ts',
    'db/sqlite-file.ts',
    'first-start.ts',
    'storage/snapshot-pattern.ts',
    'index/local-index.ts',
    'listen.ts',
  ],
  'the folders of the server and of the system, which are on a disk of this machine (docs/operating.md)': [
    'db/database.ts',
    'db/sqlite-problem.ts',
    'db/sqlite-server.ts',
    'db/sqlite.ts',
    'http/log-file.ts',
    'http/page.ts',
    'http/web-files.ts',
    'programs/start-program.ts',
    'sandbox/bubblewrap.ts',
    'search/content/document-texts.ts',
    'unpack/held-file.ts',
  ],
  'commands, which are off unless the operator allows them; on a slow disk they hold up others (docs/operating.md)': [
    'commands/private-folders.ts',
    'commands/sandbox-mount.ts',
    'sandbox/arguments.ts',
    'sandbox/held-scope.ts',
  ],
  'commands of the terminal, where nobody else waits': [
    'cli/backup/backup-commands.ts',
    'cli/backup/read-backup.ts',
    'cli/backup/restore-backup.ts',
    'cli/doctor/folders.ts',
    'cli/doctor/machine.ts',
    'cli/doctor/network.ts',
    'cli/doctor/roots.ts',
    'cli/import-export.ts',
    'cli/make-home.ts',
    'cli/migrate/bolt.ts',
    'cli/migrate/give-marks.ts',
    'cli/migrate/quantum-config.ts',
    'cli/migrate/quantum-records.ts',
    'cli/migrate/read-old.ts',
    'cli/shadow/shadow-command.ts',
    'cli/scopes.ts',
    'cli/server-options.ts',
    'cli/users-files.ts',
  ],
}

describe('the source of the server', () => {
  it('uses no random source that can be foreseen (CVE-2026-61500, GHSA-6943-qr24-82vx)', () => {
    expect(server.filter(({ text }) => text.includes('Math.random')).map(({ file }) => file)).toEqual([])
  })

  it('switches the proof of certificates off only to ask its own server whether it works, without a secret (CVE-2024-41255)', () => {
    const off = server.filter(({ text }) => /rejectUnauthorized|NODE_TLS_REJECT|checkServerIdentity/.test(text))
    expect(off.map(({ file }) => file)).toEqual(['src/server/cli/health-command.ts'])
  })

  it('A1: starts programs only where a test looks at what they hold', () => {
    const places = (pattern: RegExp) => server.filter(({ text }) => pattern.test(text)).map(({ file }) => file)
    // `layers.test.ts` lists the descriptors of each.
    expect(places(/Bun\.spawn|child_process/).toSorted()).toEqual([
      'src/server/programs/start-program.ts',
      'src/server/sandbox/bubblewrap.ts',
      'src/server/sandbox/unsandboxed.ts',
      'src/server/sessions/run-hook.ts',
    ])
    // `program-descriptors.test.ts` has each of them start its programs.
    expect(places(/sandbox\.(run|start)\(|\bopenTerminal\(\[|\bstartProgram\(sandbox/).toSorted()).toEqual([
      'src/server/commands/hooks.ts',
      'src/server/commands/socket.ts',
      'src/server/commands/terminal-socket.ts',
      'src/server/previews/office-pdf.ts',
      'src/server/previews/renderer.ts',
      'src/server/previews/still.ts',
      'src/server/programs/start-program.ts',
      'src/server/sandbox/bubblewrap.ts',
      'src/server/sandbox/unsandboxed.ts',
      'src/server/search/content/document-texts.ts',
      'src/server/unpack/office-texts.ts',
      'src/server/unpack/unpacker.ts',
    ])
  })

  it('R5: waits for disks in the main thread only where a reason says why', () => {
    const waiting = server.filter(({ text }) => WAITS_FOR_DISKS.test(text)).map(({ file }) => file.slice('src/server/'.length))
    expect(waiting.toSorted()).toEqual(Object.values(WAITING).flat().toSorted())
  })

  it('starts no shell of its own accord (I13)', () => {
    expect(server.filter(({ text }) => /\b(execSync|exec)\(['"`]|shell: true/.test(text)).map(({ file }) => file)).toEqual([])
  })
})

describe('the source of the server and of what starts it', () => {
  it('A19: starts the runtime with options by which it runs nothing of the current folder', () => {
    const starters = [...server, ...sources('scripts/**/*.{ts,mjs}'), ...sources('tools/**/*.ts')].filter(({ text }) =>
      /process\.execPath|\bRUNTIME\b/.test(text),
    )
    expect(starters.map(({ file }) => file).toSorted()).toEqual([
      // Node, in our own folder.
      'scripts/build.mjs',
      // The two places that add the options.
      'scripts/lib/packages.mjs',
      // The executable, which becomes the runtime with them.
      'scripts/release/launcher.ts',
      'scripts/start.mjs',
      // The test runner, which goes by our own bunfig.toml.
      'scripts/test.mjs',
      'src/server/entries/runtime.ts',
      // Where the runtime lies, for the sandbox.
      'src/server/programs/start-program.ts',
    ])
  })
})

describe('the source of the web', () => {
  it('cuts the tie to every window that it opens (GHSA-xcxh-6cv4-q8p8)', () => {
    const opening = web.flatMap(({ file, text }) => [...text.matchAll(/<[^<>]*target="_blank"[^<>]*>/g)].map(([tag]) => ({ file, tag })))
    expect(opening.length).toBeGreaterThan(3)
    expect(opening.filter(({ tag }) => !/rel="[^"]*\b(noopener|noreferrer)\b/.test(tag))).toEqual([])
    expect(web.filter(({ text }) => /window\.open\((?![^)]*noopener)/.test(text)).map(({ file }) => file)).toEqual([])
  })

  it('makes nodes of names and texts, never markup (I11)', () => {
    const MARKUP = /dangerouslySetInnerHTML|insertAdjacentHTML|outerHTML =|document\.write|createContextualFragment/
    expect(web.filter(({ text }) => MARKUP.test(text)).map(({ file }) => file)).toEqual([])
  })

  it('keeps no credential in an address (GHSA-rmwh-g367-mj4x, R7)', () => {
    expect(web.filter(({ text }) => /[?&](auth|token|ticket)=/.test(text)).map(({ file }) => file)).toEqual([])
  })

  it('has blank lines between the rules of a stylesheet, and none between those within a block', () => {
    const styles = sources('src/web/**/*.css')
    expect(styles.length).toBeGreaterThan(100)
    expect(styles.filter(({ text }) => /\n\n +[^\n]*\{\n|\n\}\n[^\n]/.test(text)).map(({ file }) => file)).toEqual([])
  })
})

describe('the packages', () => {
  interface Lock {
    packages: Record<string, { integrity?: string; hasInstallScript?: boolean }>
  }
  const lock = JSON.parse(readFileSync(join(HOME, 'package-lock.json'), 'utf8')) as Lock
  const packages = Object.entries(lock.packages).filter(([name]) => name !== '')

  it('have a hash each, but for the formatter and the linter of other platforms, which no registry of ours has (A4-13)', () => {
    expect(packages.length).toBeGreaterThan(100)
    const loose = packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([name]) => name)
    expect(loose.filter((name) => !/^node_modules\/(@oxfmt|@oxlint|@oxlint-tsgolint)\//.test(name))).toEqual([])
  })

  it('run no script at their installation but by name (A4-13)', () => {
    const { allowScripts } = JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8')) as { allowScripts: Record<string, boolean> }
    const running = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true)
    expect(running.filter(([name]) => !(name.replace(/^.*node_modules\//, '') in allowScripts))).toEqual([])
    expect(Object.entries(allowScripts).filter(([, allowed]) => allowed)).toEqual([['bun', true]])
  })
})

/** What ships, without tests and what they start. */
function sources(glob: string): { file: string; text: string }[] {
  const files = [...new Bun.Glob(glob).scanSync(HOME)].filter((file) => !/\.(test|suite|child|spec)\.|test-/.test(file))
  return files.map((file) => ({ file, text: readFileSync(join(HOME, file), 'utf8') }))
}
