import { spawnSync } from 'node:child_process'

/** The disks of tests and attacks: exFAT takes names in any case, and knows no times of birth; Btrfs has subvolumes and snapshots. */
const DISKS = ['exfatprogs', 'exfat-fuse', 'btrfs-progs']

/**
 * What the checks need of Debian: a browser, fonts for every language of the interface, a proxy to stand behind, the sandbox with what runs in it,
 * disks of other kinds, a directory to sign in by, programs that speak WebDAV, a sync client, a backup by one of them, Python, and oracles for what we write ourselves.
 */
const PACKAGES = [
  'chromium',
  'fonts-noto-core',
  'fonts-noto-cjk',
  'nginx-light',
  'caddy',
  'apache2-bin',
  'openssl',
  'bubblewrap',
  'ffmpeg',
  'poppler-utils',
  'libreoffice-writer-nogui',
  'libreoffice-calc-nogui',
  'libreoffice-impress-nogui',
  'unzip',
  'bzip2',
  'xz-utils',
  'lz4',
  'zstd',
  'brotli',
  'libarchive-tools',
  'strace',
  'litmus',
  'rclone',
  'nextcloud-desktop-cmd',
  'curl',
  'restic',
  'python3-venv',
  ...DISKS,
  'postgresql',
  'slapd',
  'ldap-utils',
  'systemd',
]

/** The walks are quicker with it, and the same without. */
const WELCOME = ['chromium-headless-shell']

/**
 * Installs what is missing. False, with what to do, where that is not ours to do.
 * @param {readonly string[]} more needed besides
 */
export function installDebianPackages(more = []) {
  const missing = [...PACKAGES, ...more].filter((name) => !isInstalled(name))
  const welcome = WELCOME.filter((name) => !isInstalled(name))
  if (missing.length + welcome.length === 0) return true
  const isRoot = process.getuid?.() === 0
  if (!isRoot || !has('apt-get')) {
    if (missing.length === 0) return true
    console.error(`missing: ${missing.join(' ')}\ninstall them, on Debian with: sudo apt-get install ${missing.join(' ')}`)
    return false
  }
  console.log(`installing ${[...missing, ...welcome].join(' ')}`)
  const isListed = aptGet('update')
  for (const name of welcome) aptGet('install', '-y', '--no-install-recommends', name)
  return missing.length === 0 || (isListed && aptGet('install', '-y', '--no-install-recommends', ...missing))
}

function isInstalled(name) {
  const { status, stdout } = spawnSync('dpkg-query', ['-W', '-f=${Status}', name], { encoding: 'utf8' })
  return status === 0 && stdout.includes('ok installed')
}

function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stdout, stderr } = spawnSync('apt-get', ['-q', ...args], { encoding: 'utf8', env })
  if (status !== 0) console.error(`${stdout}${stderr}`)
  return status === 0
}

function has(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0
}
