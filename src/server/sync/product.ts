/**
 * The version of Nextcloud whose dialect is spoken: clients refuse servers that are older than they support, and use by it what no capability announces.
 */
const VERSION = { major: 30, minor: 0, micro: 0 } as const
const VERSION_TEXT = `${VERSION.major}.${VERSION.minor}.${VERSION.micro}`

/** How the server presents itself. */
export interface Product {
  readonly name: string
  readonly color: string
}

/** `/status.php`: what clients ask first, without credentials. */
export function statusOf({ name }: Pick<Product, 'name'>): object {
  return {
    installed: true,
    maintenance: false,
    needsDbUpgrade: false,
    version: `${VERSION_TEXT}.0`,
    versionstring: VERSION_TEXT,
    edition: '',
    productname: name,
    extendedSupport: false,
  }
}

/** What this person may do, of what clients show only if the server has it. */
export interface Offered {
  readonly share: boolean
  readonly trash: boolean
}

/** `capabilities`: only what works is announced. */
export function capabilitiesOf({ name, color }: Product, { share, trash }: Offered): object {
  return {
    version: { ...VERSION, string: VERSION_TEXT, edition: '', extendedSupport: false },
    capabilities: {
      core: { pollinterval: 60, 'webdav-root': 'remote.php/webdav', 'reference-api': false },
      dav: { chunking: '1.0', bulkupload: '1.0' },
      checksums: { supportedTypes: ['SHA256', 'SHA1', 'MD5'], preferredUploadType: 'SHA256' },
      files: { bigfilechunking: true, undelete: trash, versioning: false, favorites: true, comments: false, directEditing: {} },
      files_sharing: {
        api_enabled: share,
        public: {
          enabled: share,
          password: { enforced: false, askForOptionalPassword: false },
          expire_date: { enabled: false },
          multiple_links: true,
          send_mail: false,
          upload: true,
          upload_files_drop: true,
        },
        user: { send_mail: false, expire_date: { enabled: false } },
        resharing: false,
        group: { enabled: share, expire_date: { enabled: false } },
        group_sharing: share,
        federation: { outgoing: false, incoming: false },
        sharebymail: { enabled: false },
      },
      theming: { name, url: '', slogan: '', color, logo: '', background: '' },
    },
  }
}
