import type { TargetEntry } from './target.ts'

/** Everything that `npm run fuzz -- --guided` explores, with the modules whose branches guide it. */
export const TARGETS: readonly TargetEntry[] = [
  {
    name: 'paths',
    about: ['src/shared/file-path.ts', 'src/server/files/destination.ts', 'src/server/files/selected-files.ts'],
    load: () => import('./targets/paths.ts'),
  },
  {
    name: 'names',
    about: [
      'src/server/archives/names.ts',
      'src/server/unpack/names.ts',
      'src/shared/natural-order.ts',
      'src/shared/numbering.ts',
      'src/shared/share-slug.ts',
    ],
    load: () => import('./targets/names.ts'),
  },
  { name: 'rules', about: ['src/shared/rules.ts', 'src/server/access/rules.ts'], load: () => import('./targets/rules.ts') },
  { name: 'ranges', about: ['src/server/http/ranges.ts'], load: () => import('./targets/ranges.ts') },
  {
    name: 'search',
    about: ['src/shared/search-query.ts', 'src/shared/search-spans.ts', 'src/shared/search-marks.ts'],
    load: () => import('./targets/search.ts'),
  },
  {
    name: 'uploads',
    about: [
      'src/server/uploads/upload-metadata.ts',
      'src/server/files/timestamp.ts',
      'src/server/files/go-mode.ts',
      'src/server/files/encoding.ts',
      'src/server/sessions/token.ts',
      'src/server/sessions/hook-reply.ts',
    ],
    load: () => import('./targets/uploads.ts'),
  },
  {
    name: 'configuration',
    about: [
      'src/server/config.ts',
      'src/server/config/checks.ts',
      'src/server/config/database-location.ts',
      'src/server/config/environment.ts',
      'src/server/config/file.ts',
      'src/server/config/parse-flags.ts',
      'src/server/config/kinds.ts',
      'src/server/config/nearest.ts',
    ],
    load: () => import('./targets/configuration.ts'),
  },
  {
    name: 'tar',
    about: ['src/server/unpack/read-tar.ts', 'src/server/unpack/detect.ts', 'src/server/archives/tar.ts'],
    load: () => import('./targets/tar.ts'),
  },
  {
    name: 'zip',
    about: ['src/server/unpack/read-zip.ts', 'src/web/widgets/viewers/zip.ts', 'src/web/widgets/viewers/inflate.ts'],
    load: () => import('./targets/zip.ts'),
  },
  {
    name: 'lz4',
    about: ['src/server/unpack/lz4.ts'],
    load: () => import('./targets/lz4.ts'),
  },
  {
    name: 'layout',
    about: [
      'src/server/archives/layout.ts',
      'src/server/archives/layout-bytes.ts',
      'src/server/archives/walk.ts',
      'src/server/archives/zip.ts',
      'src/server/archives/tar.ts',
      'src/server/archives/spans.ts',
      'src/server/archives/member-checksums.ts',
      'src/server/archives/runs.ts',
    ],
    load: () => import('./targets/layout.ts'),
  },
  { name: 'subtitles', about: ['src/server/files/subtitles.ts'], load: () => import('./targets/subtitles.ts') },
  {
    name: 'photos',
    about: ['src/server/previews/tiff.ts', 'src/server/previews/raw-photo.ts'],
    load: () => import('./targets/photos.ts'),
  },
  {
    name: 'documents',
    about: [
      'src/web/widgets/viewers/font/font-metadata.ts',
      'src/web/widgets/viewers/book/references.ts',
      'src/shared/text-content.ts',
      'src/shared/file-type.ts',
      'src/server/search/content/snippets.ts',
      'src/server/search/content/text-in.ts',
      'src/server/search/content/prefilter.ts',
    ],
    load: () => import('./targets/documents.ts'),
  },
  { name: 'addresses', about: ['src/server/webhooks/reach.ts', 'src/server/peer.ts'], load: () => import('./targets/addresses.ts') },
  {
    name: 'log-output',
    about: ['src/server/http/log.ts', 'src/server/audit/routes.ts', 'src/server/storage/private-name.ts'],
    load: () => import('./targets/log-output.ts'),
  },
]
