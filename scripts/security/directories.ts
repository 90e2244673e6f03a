import type { Group } from './attack.ts'

/** Attacks on clients of LDAP (RFC 4513 §6, RFC 4515, RFC 4514), and what was found in other products. Titles of their tests begin or end with the id. */
export const DIRECTORIES: Group = {
  title: 'Sign-in by directories',
  attacks: [
    {
      id: 'L1',
      also: ['CWE-90'],
      did: 'A name with the characters of a filter found somebody else, or everybody (DokuWiki, Spug, Trino and others).',
      why: 'The typed name is escaped (RFC 4515); a filter must find exactly one entry.',
    },
    {
      id: 'L2',
      did: 'A name with commas was bound as an entry in another place.',
      why: 'The typed name is escaped in distinguished names (RFC 4514).',
    },
    {
      id: 'L3',
      did: 'Somebody was bound as themselves, and the search found another person of that name.',
      why: 'The entry that was found is bound with the password too.',
    },
    {
      id: 'L4',
      also: ['CVE-2017-14623', 'CVE-2022-0730'],
      did: 'An empty password, or one that began with NUL, was an anonymous sign-in that succeeded (RFC 4513 §5.1.2).',
      why: 'Such passwords and empty names are refused before anything is sent.',
    },
    {
      id: 'L5',
      did: 'After a password was changed in the directory, the old one still worked (sftpgo-plugin-auth).',
      why: 'Passwords of directories are not kept, not even as hashes.',
    },
    {
      id: 'L6',
      also: ['GHSA-hjj4-hfjm-fmrj'],
      did: 'Each spelling of a name had guesses of its own (Authelia).',
      why: 'Guesses are counted for the entry as well, whatever name found it (I12).',
    },
    {
      id: 'L7',
      did: 'Somebody of the same name in the directory got an account of this server.',
      why: 'Only a connection leads to an account (I9).',
    },
    {
      id: 'L8',
      did: 'Somebody who was given the name of a former colleague got their account.',
      why: 'Accounts are connected by permanent IDs.',
    },
    {
      id: 'L9',
      did: 'A group of the same name in another unit made its members administrators.',
      why: 'Groups are compared by distinguished names.',
    },
    {
      id: 'L10',
      did: 'People who were removed from the directory still had sessions, or signed in (Nextcloud).',
      why: 'Every sign-in asks the directory, and accounts are compared with it in an interval.',
    },
    { id: 'L11', did: 'A referral led to a server of the attacker, with the password.', why: 'Referrals are not followed.' },
    {
      id: 'L12',
      did: 'A directory that did not answer kept everybody from signing in.',
      why: 'Time limits, four conversations at a time, and ten seconds in which it is not asked again (I12).',
    },
    {
      id: 'L13',
      did: 'A huge group or answer used up the memory, or groups were left out.',
      why: 'Only names of groups are read, page by page; answers have limits, and too many groups refuse the sign-in (I12).',
    },
    {
      id: 'L14',
      did: 'The certificate of the directory was not checked, or not its name.',
      why: 'TLS is required, with a trusted certificate for the name in the address.',
    },
    {
      id: 'L15',
      did: 'Where StartTLS was refused, the password was sent without.',
      why: 'Nothing is sent before TLS but the request for it.',
    },
    {
      id: 'L16',
      did: 'An answer that somebody put behind the one to StartTLS was taken for one that came by TLS (response injection).',
      why: 'A byte behind that answer ends the connection.',
    },
    {
      id: 'L17',
      did: 'Refusals told which names exist, and which accounts are disabled (Artifact Keeper).',
      why: 'All are answered alike, after at least a second; administrators see more in a trial.',
    },
  ],
}
