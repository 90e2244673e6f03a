import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pack } from 'tar-stream'
import { description, homepage, license, version } from '../../../package.json'
import { HOME } from '../../../src/server/entries/entries.ts'
import { PROGRAM, starter } from '../starter.ts'
import type { Architecture } from '../targets.ts'
import type { Tree } from '../tree.ts'
import { fetchBase, SUITE } from './base.ts'
import { ACCOUNT, baseLayer, VOLUMES } from './base-layer.ts'
import { digestOf, fileEntry, folderEntry, type Layer, layerOf, textEntry, treeEntries } from './layer.ts'

const OCI = 'application/vnd.oci.image'
const SECOND_NS = 1_000_000_000

export interface ImageOptions {
  readonly out: string
  /** Of everything in it. */
  readonly time: Date
  /** Of the commit. */
  readonly revision: string
  /** Where Debian's packages are kept. */
  readonly packages: string
}

interface Blob {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

/** Makes one archive with an image for each architecture, in the OCI layout and for `docker load`. @returns its file name */
export async function makeImage(trees: ReadonlyMap<Architecture, Tree>, { out, time, revision, packages }: ImageOptions): Promise<string> {
  const blobs = new Map<string, Buffer>()
  const store = (mediaType: string, bytes: Buffer): Blob => {
    const digest = digestOf(bytes)
    blobs.set(digest, bytes)
    return { mediaType, digest, size: bytes.length }
  }
  const storeJson = (kind: string, value: object): Blob => store(`${OCI}.${kind}+json`, Buffer.from(JSON.stringify(value)))
  const images = []
  for (const [architecture, tree] of trees) {
    const layers = [await baseLayer(fetchBase(architecture, packages)), await runtimeLayer(tree), await programLayer(tree, time)]
    const config = storeJson('config.v1', configOf(architecture, layers, { time, revision }))
    const stored = layers.map(({ blob }) => store(`${OCI}.layer.v1.tar+gzip`, blob))
    const manifest = storeJson('manifest.v1', {
      schemaVersion: 2,
      mediaType: `${OCI}.manifest.v1+json`,
      config,
      layers: stored,
      annotations: labels({ time, revision }),
    })
    images.push({ architecture, config, layers: stored, manifest })
  }
  const index = storeJson('index.v1', {
    schemaVersion: 2,
    mediaType: `${OCI}.index.v1+json`,
    manifests: images.map(({ architecture, manifest }) => ({ ...manifest, platform: platformOf(architecture) })),
    annotations: labels({ time, revision }),
  })
  const annotations = { 'io.containerd.image.name': `docker.io/library/satchel:${version}`, 'org.opencontainers.image.ref.name': version }
  const name = `satchel-${version}-image.tar`
  await writeArchive(join(out, name), time, [
    ['oci-layout', json({ imageLayoutVersion: '1.0.0' })],
    ['index.json', json({ schemaVersion: 2, mediaType: `${OCI}.index.v1+json`, manifests: [{ ...index, annotations }] })],
    // For engines that keep no index: the architectures have names of their own there.
    [
      'manifest.json',
      json(
        images.map(({ architecture, config, layers }) => ({
          Config: placeOf(config.digest),
          RepoTags: [`satchel:${version}${architecture === 'amd64' ? '' : `-${architecture}`}`],
          Layers: layers.map(({ digest }) => placeOf(digest)),
        })),
      ),
    ],
    ...[...blobs].map(([digest, bytes]): [string, Buffer] => [placeOf(digest), bytes]).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ])
  return name
}

/** The same in all versions with one runtime. */
function runtimeLayer({ runtime }: Tree): Promise<Layer> {
  const fixed = new Date(0)
  return layerOf('Bun', [...foldersTo(PROGRAM, fixed), fileEntry(runtime, `${PROGRAM}/bun`, fixed)])
}

function programLayer({ folder, main }: Tree, time: Date): Promise<Layer> {
  return layerOf('Satchel', [
    ...foldersTo(PROGRAM, time),
    ...treeEntries(folder, PROGRAM, time),
    textEntry('usr/bin/satchel', starter(main), time, 0o755),
    folderEntry('etc/satchel', time),
    fileEntry(join(HOME, 'packaging/image/satchel.yaml'), 'etc/satchel/satchel.yaml', time),
  ])
}

function foldersTo(path: string, time: Date) {
  const names = path.split('/')
  return names.map((_, at) => folderEntry(names.slice(0, at + 1).join('/'), time))
}

function configOf(architecture: Architecture, layers: readonly Layer[], about: { time: Date; revision: string }): object {
  const created = about.time.toISOString()
  return {
    created,
    ...platformOf(architecture),
    config: {
      User: `${ACCOUNT}:${ACCOUNT}`,
      ExposedPorts: { '8080/tcp': {} },
      Env: ['PATH=/usr/bin', 'HOME=/tmp'],
      Entrypoint: ['/usr/bin/satchel'],
      Volumes: Object.fromEntries(VOLUMES.map((name) => [`/${name}`, {}])),
      WorkingDir: '/data',
      Labels: labels(about),
      StopSignal: 'SIGTERM',
      // Not in OCI's specification; Docker reads it all the same.
      Healthcheck: {
        Test: ['CMD', 'satchel', 'health'],
        Interval: 30 * SECOND_NS,
        Timeout: 10 * SECOND_NS,
        StartPeriod: 30 * SECOND_NS,
        Retries: 3,
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map((layer) => ({ created, created_by: `npm run release: ${layer.about}` })),
  }
}

function labels({ time, revision }: { time: Date; revision: string }): Record<string, string> {
  const all = {
    title: 'Satchel',
    description,
    url: homepage,
    source: homepage,
    documentation: `${homepage}/blob/v${version}/docs/install.md`,
    licenses: license,
    version,
    revision,
    created: time.toISOString(),
    'base.name': `packages of Debian ${SUITE}`,
  }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`org.opencontainers.image.${name}`, value]))
}

function platformOf(architecture: Architecture): object {
  return { architecture, os: 'linux', ...(architecture === 'arm64' ? { variant: 'v8' } : {}) }
}

function placeOf(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

async function writeArchive(file: string, mtime: Date, entries: readonly (readonly [string, Buffer])[]): Promise<void> {
  const archive = pack()
  const written = pipeline(archive, createWriteStream(file))
  for (const folder of ['blobs', 'blobs/sha256']) archive.entry({ name: `${folder}/`, type: 'directory', mode: 0o755, mtime })
  for (const [name, bytes] of entries) archive.entry({ name, mode: 0o644, mtime }, bytes)
  archive.finalize()
  await written
}
