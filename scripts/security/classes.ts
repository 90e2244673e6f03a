import type { Group } from './attack.ts'

/** Flaws of the predecessor's last release that no advisory names. */
export const RESIDUAL: Group = {
  title: 'Flaws of the predecessor’s last release without an advisory',
  attacks: [
    {
      id: 'R1',
      did: 'An empty list of fields avoided the proof of the password.',
      why: 'The proof follows from the difference between the records (I17).',
    },
    {
      id: 'R2',
      did: 'An upload emptied the old file before its length was checked; an abandoned or empty one deleted it.',
      why: 'The old file is touched by the last step only, and a file of no bytes is complete at once (I6).',
    },
    {
      id: 'R3',
      did: 'A folder changed places with a link between check and use.',
      why: 'Nothing is checked by name and opened again: one walk by descriptors (I2).',
    },
    {
      id: 'R4',
      did: 'The recursive listing told that a denied folder is there, and had no end.',
      why: 'A hidden folder is answered like a missing one; long answers are streamed (I3, I12).',
    },
    {
      id: 'R5',
      did: 'A path with line ends forged lines of the log; anybody could claim another address.',
      why: 'An entry is one line, control characters are escaped; forwarding headers count from trusted proxies only (I10).',
    },
    {
      id: 'R6',
      did: 'The page had no content policy.',
      why: 'Every answer has its headers from one place, and a generated test looks at all of them (I11).',
    },
    {
      id: 'R7',
      did: 'Scripts could read the credential.',
      why: 'What scripts can read is worth nothing without a cookie that they cannot (I7).',
    },
    {
      id: 'R8',
      did: 'Passwords of links and accounts could be tried without limit, and each try cost a hash.',
      why: 'Tries are counted before they are hashed, and few are hashed at once (I12).',
    },
    {
      id: 'R9',
      did: 'Archives, searches and checksums had no limit at once.',
      why: 'Each person and each visitor has so many archives, searches, checksums and listings of everything at once, then 429 (I12).',
    },
    {
      id: 'R10',
      did: 'A connection that dropped in the middle of an upload destroyed the old file.',
      why: 'Bytes are staged; a file is replaced by one rename, and a version can be asked for (I6).',
    },
    {
      id: 'R11',
      did: 'Failures told paths of the server.',
      why: 'A failure tells what the caller said, and no more (I15).',
    },
    {
      id: 'R12',
      did: 'Links outlived the account that made them.',
      why: 'They end with it, and its tokens too (I8).',
    },
    {
      id: 'R13',
      did: 'A thumbnail outlived its image within the same second.',
      why: 'Thumbnails are kept by identity, time to the nanosecond and size (I5).',
    },
    {
      id: 'R14',
      did: 'Two people who uploaded to one path shared the upload.',
      why: 'An upload belongs to a person and a path; a visitor’s to a secret (I7).',
    },
    {
      id: 'R15',
      did: 'Books and Markdown loaded from elsewhere what told who reads.',
      why: 'The content policy lets nothing load from elsewhere (I11).',
    },
    {
      id: 'R16',
      did: 'The host of the captcha’s script could be anybody.',
      why: 'The program does not start with a captcha whose script we do not know (I11).',
    },
  ],
}

/** Classes of attacks on what products like ours do. */
export const CLASSES: Group = {
  title: 'Classes of attacks on what this product does',
  attacks: [
    {
      id: 'A4-1',
      did: 'Open redirect after signing in.',
      why: 'Only paths of this instance are followed.',
    },
    {
      id: 'A4-2',
      did: 'Requests to inside networks (SSRF).',
      why: 'Addresses are looked up once, judged, and that very address is called.',
    },
    {
      id: 'A4-3',
      did: 'Decompression bombs and hostile entries.',
      why: 'Bytes, entries, ratio and time are counted while reading; nothing gets a name before the end was reached.',
    },
    {
      id: 'A4-4',
      did: 'WebDAV: endless depth, lock floods, entity bombs.',
      why: 'There is no WebDAV; its methods are not served.',
    },
    {
      id: 'A4-5',
      did: 'A thousand overlapping ranges.',
      why: 'What would cost more than the file is the file.',
    },
    {
      id: 'A4-6',
      did: 'Patterns of rules that never end.',
      why: 'Patterns run in time linear in the path (RE2).',
    },
    {
      id: 'A4-7',
      did: 'Negative and 64-bit sizes in archives.',
      why: 'Sizes are read as unsigned within the safe range and counted again.',
    },
    {
      id: 'A4-8',
      did: 'Hard links into other people’s files.',
      why: 'Nothing makes hard links for anybody; a file is replaced by rename, so a twin keeps its bytes.',
    },
    {
      id: 'A4-9',
      did: 'Prototype pollution in settings.',
      why: 'JSON is read into objects of a schema; unknown keys go nowhere.',
    },
    {
      id: 'A4-10',
      did: 'HTTP/2 rapid reset.',
      why: 'The server speaks HTTP/1.1, also under TLS.',
    },
    {
      id: 'A4-11',
      did: 'An uploaded script as a service worker.',
      why: 'A request for a service worker’s script is refused wherever files are served.',
    },
    {
      id: 'A4-12',
      did: 'Names that look like others (right-to-left override).',
      why: 'Control and bidirectional characters are shown escaped.',
    },
    {
      id: 'A4-13',
      did: 'A dependency that was exchanged.',
      why: 'Every package has its hash in the lock file; install scripts run by name only.',
    },
  ],
}

/** The harness of matrices: what is generated, so that new calls are covered by being there. */
export const MATRICES: Group = {
  title: 'Matrices',
  attacks: [
    {
      id: 'A5-1',
      did: 'Calls × principals × rights.',
      why: 'Generated from the contract; what is open is written down by hand.',
    },
    {
      id: 'A5-2',
      did: 'Spellings of a path × every parameter that names one.',
      why: 'More than four hundred spellings, over a real port.',
    },
    {
      id: 'A5-3',
      did: 'A tree of oddities × every recursive deed.',
      why: 'What is outside or denied is compared before and after.',
    },
    {
      id: 'A5-4',
      did: 'Capabilities × what can happen to them.',
      why: 'Links, tickets, sessions and uploads, used again after each event.',
    },
    {
      id: 'A5-5',
      did: 'Failures of disk, connection and process.',
      why: 'The old state or the new one, never another.',
    },
    {
      id: 'A5-6',
      did: 'A folder and a link that change places × every call.',
      why: 'Nothing from outside is ever seen or changed.',
    },
    {
      id: 'A5-7',
      did: 'Bombs for memory and time.',
      why: 'Refused, or bounded, while others are served.',
    },
    {
      id: 'A5-8',
      did: 'Hostile files × viewers in Chromium.',
      why: 'No script effect, no request to elsewhere.',
    },
    {
      id: 'A5-9',
      did: 'Headers of every answer, and secrets in all of them.',
      why: 'Generated from the contract.',
    },
  ],
}
