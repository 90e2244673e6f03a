import { ConfigError } from '../../config/config-error.ts'
import { defineCommand, type Call } from '../command.ts'
import { json, visible } from '../print.ts'
import type { Finding } from './finding.ts'
import { diskFindings, folderFindings } from './folders.ts'
import { limitFindings, nativeFindings, sandboxFindings } from './machine.ts'
import { listenFindings, proxyFindings, tlsFindings } from './network.ts'
import { databaseFindings } from './records.ts'
import { rootFindings } from './roots.ts'

const SIGNS = { fine: '✓', advice: '!', problem: '✗' } as const satisfies Record<Finding['standing'], string>

export const DOCTOR_COMMAND = defineCommand(
  'doctor',
  'look over folders, database, network and machine, and say what is wrong and what to do',
  examine,
  { flags: [{ name: 'url', kind: 'text', about: 'what people type; the running server is asked through its proxy' }], server: 'all' },
)

async function examine(call: Call): Promise<void> {
  const { serverSettings, flags, terminal } = call
  const now = new Date()
  const url = flags.get('url')
  const findings = [
    ...folderFindings(serverSettings),
    ...(await databaseFindings(call, now)),
    ...(await rootFindings(call)),
    ...diskFindings(serverSettings),
    ...listenFindings(serverSettings),
    ...tlsFindings(serverSettings, now),
    ...(url === undefined ? [] : await proxyFindings(call, String(url), now)),
    ...limitFindings(),
    ...(await nativeFindings()),
    ...(await sandboxFindings(call)),
  ]
  terminal.out(call.json ? json(findings) : findings.map(lineOf).join('\n'))
  const wrong = findings.filter(({ standing }) => standing === 'problem').length
  if (wrong > 0) throw new ConfigError(wrong === 1 ? 'one thing is wrong' : `${wrong} things are wrong`)
}

function lineOf({ about, standing, text, todo }: Finding): string {
  const line = `${SIGNS[standing]} ${about}: ${visible(text)}`
  return todo === '' ? line : `${line}\n    → ${visible(todo)}`
}
