import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificates } from './certificates.ts'

export const BASE = 'dc=example,dc=org'
export const SEARCHER = { dn: `cn=satchel,${BASE}`, password: 'searches the directory' }
const ADMIN = { dn: `cn=admin,${BASE}`, password: 'administers the directory' }

/** Attributes that Active Directory has, with its object identifiers, on entries of OpenLDAP. */
const AD_SCHEMA = `
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.8 NAME 'userAccountControl' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.159 NAME 'accountExpires' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
objectclass ( 1.2.840.113556.1.5.9 NAME 'adUser' SUP top AUXILIARY MAY ( objectGUID $ sAMAccountName $ userAccountControl $ accountExpires ) )
`

export interface Slapd extends Disposable {
  readonly port: number
  /** `ldaps://` and `ldap://` by a name of its certificate. */
  readonly ldaps: string
  readonly ldap: string
  /** Of its authority, as PEM. */
  readonly ca: string
  /** Changes it, as `ldapmodify` reads it. */
  modify(ldif: string): void
  /** How many binds were tried, whatever came of them. */
  binds(): number
}

/**
 * Debian’s `slapd` in a folder of its own, with the entries of `entries` below `ou=people` and `ou=groups`. It takes an empty password for an
 * anonymous sign-in and says that it succeeded (RFC 4513 §5.1.2), as many directories do.
 */
export async function startSlapd(entries = ''): Promise<Slapd> {
  const home = mkdtempSync(join(tmpdir(), 'satchel-slapd-'))
  const certificates = makeCertificates(home)
  const [port, securePort] = [await freePort(), await freePort()]
  mkdirSync(join(home, 'data'))
  writeFileSync(join(home, 'ad.schema'), AD_SCHEMA)
  writeFileSync(join(home, 'slapd.conf'), configuration(home, certificates))
  writeFileSync(join(home, 'start.ldif'), START)
  check(
    spawnSync('/usr/sbin/slapadd', ['-q', '-f', join(home, 'slapd.conf'), '-l', join(home, 'start.ldif')], { encoding: 'utf8' }),
    'slapadd',
  )
  const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${securePort}`
  // Says every operation on its standard error.
  const server = spawn('/usr/sbin/slapd', ['-d', 'stats', '-f', join(home, 'slapd.conf'), '-h', urls], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said: string[] = []
  server.stderr.setEncoding('utf8').on('data', (text: string) => void said.push(text))
  await answering(port)
  const modify = (ldif: string, ...more: string[]): void => {
    const args = ['-x', '-H', `ldap://127.0.0.1:${port}`, '-D', ADMIN.dn, '-w', ADMIN.password, ...more]
    check(spawnSync('ldapmodify', args, { input: ldif, encoding: 'utf8' }), 'ldapmodify')
  }
  // Through the server, which writes `memberOf`.
  if (entries !== '') modify(entries, '-a')
  return {
    port,
    ldaps: `ldaps://localhost:${securePort}`,
    ldap: `ldap://localhost:${port}`,
    ca: certificates.ca,
    modify: (ldif) => modify(ldif),
    binds: () => said.join('').match(/ BIND dn="[^"]*" method=128/g)?.length ?? 0,
    [Symbol.dispose]() {
      server.kill('SIGKILL')
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** A person below `ou=people`; their password is `password of NAME`. */
export function person(name: string, fields: Record<string, string> = {}): string {
  const more = Object.entries(fields).map(([field, value]) => `${field}: ${value}\n`)
  return `dn: uid=${name},ou=people,${BASE}
objectClass: inetOrgPerson
objectClass: adUser
uid: ${name}
cn: ${name}
sn: ${name}
userPassword: password of ${name}
${more.join('')}
`
}

/** A group below `ou=groups`. @param members distinguished names */
export function group(name: string, members: readonly string[]): string {
  return `dn: cn=${name},ou=groups,${BASE}\nobjectClass: groupOfNames\ncn: ${name}\n${members.map((one) => `member: ${one}\n`).join('')}\n`
}

export const personDn = (name: string): string => `uid=${name},ou=people,${BASE}`
export const groupDn = (name: string): string => `cn=${name},ou=groups,${BASE}`

const START = `dn: ${BASE}
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: ou=people,${BASE}
objectClass: organizationalUnit
ou: people

dn: ou=groups,${BASE}
objectClass: organizationalUnit
ou: groups

dn: ${SEARCHER.dn}
objectClass: applicationProcess
objectClass: simpleSecurityObject
cn: satchel
userPassword: ${SEARCHER.password}
`

function configuration(home: string, { cert, key, authority }: { cert: string; key: string; authority: string }): string {
  const schemas = ['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`)
  return `${schemas.join('\n')}
include ${home}/ad.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
pidfile ${home}/slapd.pid
TLSCertificateFile ${cert}
TLSCertificateKeyFile ${key}
TLSCACertificateFile ${authority}
allow bind_anon_dn bind_anon_cred
sizelimit 500
database mdb
suffix "${BASE}"
rootdn "${ADMIN.dn}"
rootpw "${ADMIN.password}"
directory ${home}/data
overlay memberof
access to attrs=userPassword by anonymous auth by * none
access to * by users read by anonymous none
`
}

function check({ status, stderr, stdout }: { status: number | null; stderr: string; stdout: string }, what: string): void {
  if (status !== 0) throw new Error(`${what}: ${stdout}${stderr}`)
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

async function answering(port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('slapd does not answer')
}
