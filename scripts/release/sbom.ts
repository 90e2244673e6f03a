import { createHash } from 'node:crypto'
import manifest from '../../package.json'
import type { Component } from './components.ts'
import { type Locked, SUITE } from './image/base.ts'
import type { Architecture } from './targets.ts'

export interface SbomOptions {
  /** The file that it describes. */
  readonly artefact: string
  /** Of the commit. */
  readonly time: Date
  readonly components: readonly Component[]
  /** Debian's packages in an image. */
  readonly debian?: { readonly architecture: Architecture; readonly packages: readonly Locked[] }
}

/** What an artefact contains, as CycloneDX 1.6. The same content gives the same bytes. */
export function sbomOf({ artefact, time, components, debian }: SbomOptions): string {
  const { version, description, license, homepage } = manifest
  const main = {
    type: 'application',
    'bom-ref': 'satchel',
    name: 'satchel',
    version,
    description,
    licenses: [{ license: { id: license } }],
  }
  const parts = [...components.map(componentEntry), ...(debian?.packages ?? []).map((one) => debianEntry(one, debian?.architecture))]
  const content = {
    version: 1,
    metadata: {
      timestamp: time.toISOString(),
      component: {
        ...main,
        purl: `pkg:generic/satchel@${version}`,
        externalReferences: [{ type: 'website', url: homepage }],
      },
      properties: [{ name: 'satchel:artefact', value: artefact }],
    },
    components: parts,
    dependencies: [{ ref: 'satchel', dependsOn: parts.map((part) => part['bom-ref']) }],
  }
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(content))}`
  return `${JSON.stringify({ $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json', bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber, ...content }, null, 2)}\n`
}

function componentEntry({ name, version, licence, purl, parts }: Component) {
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    // Words are a name, everything else is an expression of SPDX.
    licenses: licence.includes(' with ') || licence.startsWith('see ') ? [{ license: { name: licence } }] : [{ expression: licence }],
    ...(parts === undefined ? {} : { components: parts.map((part) => ({ type: 'library', 'bom-ref': `${purl}#${part.name}`, ...part })) }),
  }
}

function debianEntry({ name, version, sha256 }: Locked, architecture = '') {
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=${SUITE}`
  return { type: 'library', 'bom-ref': purl, name, version, purl, hashes: [{ alg: 'SHA-256', content: sha256 }] }
}

/** An identifier that depends on the content only (UUID version 8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
