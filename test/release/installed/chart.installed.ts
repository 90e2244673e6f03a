import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { isRecord } from '../../../src/server/cli/records.ts'
import { made, TOOLS } from './made.ts'

// The validator reads the schemas of all kinds.
setDefaultTimeout(60_000)

const HELM = join(TOOLS, 'bin/helm')
const VALIDATE = join(TOOLS, 'python/bin/kubernetes-validate')
const chart = made('-chart.tgz')
/** Ways to set the chart up. */
const WAYS = {
  'as it is': [],
  'with an ingress': ['ingress.enabled=true', 'ingress.className=nginx', 'ingress.tlsSecret=tls'],
  'with PostgreSQL and several pods': ['database.existingSecret=postgres', 'replicas=3'],
  'with volumes and a password of the operator': [
    'files.existingClaim=mine',
    'data.storageClass=fast',
    'administrator.existingSecret=first',
  ],
}

describe('the chart', () => {
  it('passes the linter', () => {
    execFileSync(HELM, ['lint', '--strict', chart], { stdio: 'ignore' })
  })

  it.each(Object.entries(WAYS))('is valid for Kubernetes %s', (_, values) => {
    const file = join(mkdtempSync(join(tmpdir(), 'satchel-chart-')), 'rendered.yaml')
    writeFileSync(file, render(values))
    const { status, stdout, stderr } = spawnSync(VALIDATE, ['--strict', file], { encoding: 'utf8' })
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
  })

  it('runs as a user without rights, with a read-only root file system', () => {
    const deployment = parseAllDocuments(render([]))
      .map((one): unknown => one.toJS())
      .find((one) => isRecord(one) && one.kind === 'Deployment')
    expect(deployment).toMatchObject({
      spec: {
        strategy: { type: 'Recreate' },
        template: {
          spec: {
            securityContext: { runAsNonRoot: true, runAsUser: 1000 },
            containers: [
              { securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
            ],
          },
        },
      },
    })
  })

  it('refuses several pods on SQLite', () => {
    const { status, stderr } = spawnSync(HELM, ['template', '--kube-version=1.34.0', 'files', chart, '--set', 'replicas=2'], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([1, expect.stringContaining('several replicas need PostgreSQL')])
  })
})

function render(values: readonly string[]): string {
  return execFileSync(HELM, ['template', '--kube-version=1.34.0', 'files', chart, ...values.flatMap((value) => ['--set', value])], {
    encoding: 'utf8',
  })
}
