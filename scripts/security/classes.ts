import type { Group } from './attack.ts'

/** Vulnerabilities of File Browser's last release without an advisory. */
export const RESIDUAL: Group = {
  title: 'Vulnerabilities of the last File Browser release without an advisory',
  attacks: [
    {
      id: 'R1',
      did: 'An empty list of fields bypassed the password check.',
      why: 'Whether a password is required follows from comparing the old and the new record (I17).',
    },
    {
      id: 'R2',
      did: 'An upload truncated the old file before its length was checked; an abandoned or empty upload deleted it.',
      why: 'Only the last step touches the old file, and an empty file is complete at once (I6).',
    },
    {
      id: 'R3',
      did: 'A folder was swapped with a symbolic link between check and use.',
      why: 'Nothing is checked by name and then opened again: one walk by descriptors (I2).',
    },
    {
      id: 'R4',
      did: 'The recursive listing revealed denied folders and had no limit.',
      why: 'A hidden folder gets the same answer as a missing one; long answers are streamed (I3, I12).',
    },
    {
      id: 'R5',
      did: 'A path with line breaks forged log lines; anyone could claim another client address.',
      why: 'Each entry is one line with control characters escaped; forwarding headers are accepted from trusted proxies only (I10).',
    },
    {
      id: 'R6',
      did: 'The page had no content security policy.',
      why: 'All response headers are set in one place, and a generated test checks every response (I11).',
    },
    {
      id: 'R7',
      did: 'Scripts could read the credential.',
      why: 'What scripts can read is useless without a cookie that they cannot read (I7).',
    },
    {
      id: 'R8',
      did: 'Passwords of links and accounts could be guessed without limit, and each guess cost a hash.',
      why: 'Attempts are counted before they are hashed, and few hashes run at once (I12).',
    },
    {
      id: 'R9',
      did: 'Archives, searches and checksums had no concurrency limit.',
      why: 'Each user and each visitor may run a limited number of archives, searches, checksums and recursive listings at once; further requests get 429 (I12).',
    },
    {
      id: 'R10',
      did: 'A connection that dropped during an upload destroyed the old file.',
      why: 'Uploads are staged; one rename replaces the file, and clients can require a version (I6).',
    },
    {
      id: 'R11',
      did: 'Error messages revealed paths of the server.',
      why: 'Errors contain only what the client sent (I15).',
    },
    {
      id: 'R12',
      did: 'Links survived the deletion of the account that created them.',
      why: 'Links and their tokens are deleted with the account (I8).',
    },
    {
      id: 'R13',
      did: 'A thumbnail of the old image was shown when the image was replaced within the same second.',
      why: 'Thumbnails are stored by file identity, modification time in nanoseconds and size (I5).',
    },
    {
      id: 'R14',
      did: 'Two users who uploaded to the same path shared one upload.',
      why: 'An upload belongs to a user and a path; a visitor’s upload to a secret (I7).',
    },
    {
      id: 'R15',
      did: 'Books and Markdown loaded remote resources, which revealed the reader.',
      why: 'The content security policy blocks all remote resources (I11).',
    },
    {
      id: 'R16',
      did: 'The host of the captcha script could be any site.',
      why: 'Satchel does not start with a captcha host that it does not know (I11).',
    },
  ],
}

/** Classes of attacks on file managers. */
export const CLASSES: Group = {
  title: 'Classes of attacks',
  attacks: [
    {
      id: 'A4-1',
      did: 'Open redirect after sign-in.',
      why: 'Only paths of this instance are accepted.',
    },
    {
      id: 'A4-2',
      did: 'Requests to internal networks (SSRF).',
      why: 'Names are resolved once, the address is checked, and the connection uses that address.',
    },
    {
      id: 'A4-3',
      did: 'Decompression bombs and hostile archive entries.',
      why: 'Bytes, entries, ratio and time are limited while reading; no file is created before the end of the archive is reached.',
    },
    {
      id: 'A4-4',
      did: 'WebDAV: infinite depth, lock floods, entity bombs.',
      why: 'Listings of whole trees are refused, a person holds so many locks, and documents with a document type or deep nesting are refused (decision 089).',
    },
    {
      id: 'A4-5',
      did: 'A thousand overlapping ranges.',
      why: 'If the ranges would cost more than the whole file, the whole file is sent.',
    },
    {
      id: 'A4-6',
      did: 'Rule patterns with exponential run time (ReDoS).',
      why: 'Patterns run in time linear in the length of the path (RE2).',
    },
    {
      id: 'A4-7',
      did: 'Negative and 64-bit sizes in archives.',
      why: 'Sizes are read as unsigned integers within the safe range, and bytes are counted again.',
    },
    {
      id: 'A4-8',
      did: 'Hard links to other users’ files.',
      why: 'No operation creates hard links; files are replaced by rename, so other hard links keep their content.',
    },
    {
      id: 'A4-9',
      did: 'Prototype pollution in settings.',
      why: 'JSON is parsed into objects of a schema; unknown keys are ignored.',
    },
    {
      id: 'A4-10',
      did: 'HTTP/2 rapid reset.',
      why: 'The server speaks HTTP/1.1 only, also over TLS.',
    },
    {
      id: 'A4-11',
      did: 'An uploaded script registered as a service worker.',
      why: 'Requests for service worker scripts are refused wherever files are served.',
    },
    {
      id: 'A4-12',
      did: 'Misleading file names (right-to-left override).',
      why: 'Control and bidirectional characters are displayed escaped.',
    },
    {
      id: 'A4-13',
      did: 'A compromised dependency.',
      why: 'The lock file has a hash for every package; only listed packages may run install scripts.',
    },
  ],
}

/** Generated tests, which cover new calls automatically. */
export const MATRICES: Group = {
  title: 'Generated tests',
  attacks: [
    {
      id: 'A5-1',
      did: 'Calls × users × permissions.',
      why: 'Generated from the contract; the public calls are listed by hand.',
    },
    {
      id: 'A5-2',
      did: 'Spellings of a path × every parameter that takes one.',
      why: 'More than four hundred spellings, over a real port.',
    },
    {
      id: 'A5-3',
      did: 'A tree of unusual files × every recursive operation.',
      why: 'Files outside the scope and denied files are compared before and after.',
    },
    {
      id: 'A5-4',
      did: 'Credentials × events that affect them.',
      why: 'Links, tickets, sessions and uploads are used again after each event.',
    },
    {
      id: 'A5-5',
      did: 'Failures of disk, connection and process.',
      why: 'The result is the old state or the new one, nothing in between.',
    },
    {
      id: 'A5-6',
      did: 'A folder and a symbolic link that are swapped repeatedly × every call.',
      why: 'Nothing outside the scope is ever read or changed.',
    },
    {
      id: 'A5-7',
      did: 'Memory and CPU exhaustion.',
      why: 'Refused or limited, while other users are served.',
    },
    {
      id: 'A5-8',
      did: 'Hostile files × viewers in Chromium.',
      why: 'No script runs, and no request goes to another site.',
    },
    {
      id: 'A5-9',
      did: 'Headers of every response, and secrets in all of them.',
      why: 'Generated from the contract.',
    },
  ],
}
